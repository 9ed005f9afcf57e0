import { AdkError } from '@skein/contracts';
import { type RequestEnd, type Permit } from '../limiter/rate-limiter';

/** Failures in a row before a model is left alone, and over how long: what fails at once may be a moment's fault. */
const THRESHOLD = 5;
const LASTING_MS = 5_000;
const FIRST_REST_MS = 15_000;
const MAX_REST_MS = 120_000;
/** Longer than any rest. */
const FORGOTTEN_AFTER_MS = 600_000;

/** Whoever is turned away while another one tries: that one is accepted, or fails, soon. */
const WHILE_TRYING_MS = 1_000;
/** A trial that is neither after so long, as an answer that is not streamed, lets another one try beside it. */
const NEXT_TRIAL_MS = 15_000;

/** One request that tries whether the model is back. */
interface Trial {
  readonly begunMs: number;
}

/**
 * A circuit breaker: a model that only fails is not asked for a while, so that whoever needs it knows at once. Then one
 * request tries it: once it is accepted, the others follow, however long its answer takes; failed, it rests for twice as long.
 */
export class CircuitBreaker {
  #failures = 0;
  #failsSinceMs = 0;
  #failedAtMs = 0;
  #rests = 0;
  #opensAtMs = 0;
  /** The last one that was begun and is not decided; one before it that fails decides nothing. */
  #trial: Trial | undefined;

  /** Whether it may be forgotten: it turns nobody away, and failures of long ago say nothing of the next one. */
  get isIdle(): boolean {
    return this.#failures === 0 || performance.now() - this.#failedAtMs >= FORGOTTEN_AFTER_MS;
  }

  /** Throws `model.away` while the model is left alone. */
  check(model: string): void {
    const closedForMs = this.#closedForMs();
    if (closedForMs > 0) throw away(model, this.#failures, closedForMs);
  }

  /** As `check`; what it answers is to be told how the request goes. */
  begin(model: string): Permit {
    this.check(model);
    const trial = this.#rests > 0 ? { begunMs: performance.now() } : undefined;
    if (trial) this.#trial = trial;
    let isUndecided = trial !== undefined;
    return {
      // Of the others it says little: a provider may begin each of its answers, and break it off.
      accepted: () => {
        if (isUndecided) this.#close();
        isUndecided = false;
      },
      end: ({ kind }: RequestEnd) => {
        const wasTrying = trial !== undefined && this.#trial === trial;
        if (wasTrying) this.#trial = undefined;
        if (kind === 'failed') this.#failed(wasTrying);
        if (kind === 'answered' || kind === 'refused') this.#close();
      },
    };
  }

  /** Whoever comes in between is turned away; 0 when nobody is. */
  #closedForMs(): number {
    if (this.#rests === 0) return 0;
    const nowMs = performance.now();
    if (!this.#trial) return Math.max(0, this.#opensAtMs - nowMs);
    const nextTrialMs = this.#trial.begunMs + NEXT_TRIAL_MS - nowMs;
    return Math.min(WHILE_TRYING_MS, Math.max(0, nextTrialMs));
  }

  #close(): void {
    this.#failures = 0;
    this.#rests = 0;
    this.#trial = undefined;
  }

  #failed(wasTrying: boolean): void {
    const nowMs = performance.now();
    if (this.#failures === 0) this.#failsSinceMs = nowMs;
    this.#failedAtMs = nowMs;
    this.#failures += 1;
    // What was under way when the circuit opened fails too, and says nothing new.
    if (this.#rests > 0 && !wasTrying) return;
    const isLasting = this.#failures >= THRESHOLD && nowMs - this.#failsSinceMs >= LASTING_MS;
    if (!isLasting && !wasTrying) return;
    this.#opensAtMs = nowMs + Math.min(FIRST_REST_MS * 2 ** this.#rests, MAX_REST_MS);
    this.#rests += 1;
  }
}

function away(model: string, failures: number, closedForMs: number): AdkError {
  const retryAfterMs = Math.ceil(closedForMs);
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const message = `The model "${model}" failed ${failures} times in a row; it is not asked again for ${seconds} s.`;
  return new AdkError('unavailable', 'model.away', message, { retryAfterMs });
}
