import { type Counter, type Logger, type Metrics } from '@skein/platform';
import { LRUCache } from 'lru-cache';

/** What only a broken worker does, or one that is not ours: a forged result, or a claim to run what was ended long ago. */
export type Offence = 'forged' | 'overdue';

export interface WorkerTrustParts {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

const OFFENCES = 5;
const WITHIN_MS = 60_000;
const IGNORED_MS = 5 * 60_000;
/** Whoever forges a result chooses the name in it too, so as many names are kept as cost nothing. */
const MAX_WORKERS = 1_000;
const MAX_NAME_LENGTH = 256;

interface Standing {
  readonly offencesAtMs: readonly number[];
  readonly ignoredUntilMs: number;
}

/**
 * Which workers are not believed any more. What one says of itself is left out then: calls are not given to a pool for its sake,
 * and what it claims to run is not waited for. A name has its NATS user before it, so that nobody is harmed by one that a worker of
 * another user borrowed.
 */
export class WorkerTrust {
  readonly #records = new LRUCache<string, Standing>({ max: MAX_WORKERS });
  readonly #distrusted: Counter;

  constructor(private readonly parts: WorkerTrustParts) {
    this.#distrusted = parts.metrics.counter(
      'skein_tool_workers_distrusted_total',
      'Times a tool worker was ignored for five minutes, by why: forged (its results), overdue (it claims to run ended calls).',
      ['offence'],
    );
  }

  isTrusted(worker: string): boolean {
    return (this.#records.get(nameOf(worker))?.ignoredUntilMs ?? 0) <= this.#nowMs();
  }

  /** Five within a minute, and the worker is ignored for five minutes. */
  offended(worker: string, offence: Offence): void {
    const name = nameOf(worker);
    if (!this.isTrusted(name)) return;
    const nowMs = this.#nowMs();
    const before = this.#records.get(name)?.offencesAtMs ?? [];
    const offencesAtMs = [...before.filter((atMs) => nowMs - atMs < WITHIN_MS), nowMs];
    const isIgnored = offencesAtMs.length >= OFFENCES;
    this.#records.set(name, {
      offencesAtMs: isIgnored ? [] : offencesAtMs,
      ignoredUntilMs: isIgnored ? nowMs + IGNORED_MS : 0,
    });
    if (!isIgnored) return;
    this.#distrusted.increment({ offence });
    this.parts.logger.warn(
      { worker: name, offence, offences: OFFENCES, ignoredMs: IGNORED_MS },
      'tool worker is ignored for a while',
    );
  }

  #nowMs(): number {
    return this.parts.nowMs?.() ?? performance.now();
  }
}

function nameOf(worker: string): string {
  return worker.slice(0, MAX_NAME_LENGTH);
}
