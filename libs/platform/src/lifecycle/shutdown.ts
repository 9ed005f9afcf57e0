import { setTimeout as delay } from 'node:timers/promises';
import { type Logger } from '../logging/logger';

interface Step {
  readonly name: string;
  readonly run: () => unknown;
  readonly deadlineMs: number;
}

const DEFAULT_DEADLINE_MS = 5_000;
/** Of the whole, for the steps that come when the rest of it is spent, and for what runService does after them. */
const RESERVE_MS = 2_000;
const LEAST_MS = 100;

/**
 * How a process ends: named steps in the order they were added, each with a deadline of its own, and all of them within
 * `graceMs`. Once that is nearly spent, each step that is left is begun and gets a tenth of a second.
 */
export class Shutdown {
  readonly #steps: Step[] = [];
  #ending: Promise<void> | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly graceMs = 30_000,
  ) {}

  get hasBegun(): boolean {
    return this.#ending !== undefined;
  }

  step(name: string, run: () => unknown, deadlineMs = DEFAULT_DEADLINE_MS): void {
    this.#steps.push({ name, run, deadlineMs });
  }

  /** Runs the steps once, whoever asks and how often. A step that fails or is late does not stop the others. */
  run(): Promise<void> {
    this.#ending ??= this.#runSteps();
    return this.#ending;
  }

  async #runSteps(): Promise<void> {
    const endsAtMs = performance.now() + this.graceMs - RESERVE_MS;
    for (const { deadlineMs, ...step } of this.#steps) {
      const leftMs = Math.max(LEAST_MS, endsAtMs - performance.now());
      await this.#runStep({ ...step, deadlineMs: Math.min(deadlineMs, Math.round(leftMs)) });
    }
  }

  async #runStep({ name, run, deadlineMs }: Step): Promise<void> {
    const done = new AbortController();
    const work = (async () => run())().finally(() => done.abort());
    try {
      const isLate = await Promise.race([
        work.then(() => false),
        delay(deadlineMs, true, { signal: done.signal }).catch(() => false), // Aborted: the step ended first.
      ]);
      // A step that failed also ends the wait; its failure is reported by the second await.
      if (isLate) this.logger.warn({ step: name, deadlineMs }, 'shutdown step is late and was left behind');
      else await work;
    } catch (error) {
      this.logger.error({ step: name, err: error }, 'shutdown step failed');
    }
  }
}
