import { AdkError } from '@skein/contracts';
import { type RequestEnd, type Permit } from '../limiter/rate-limiter';

/** Failures in a row before a model is left alone, and over how long: what fails at once may be a moment's fault. */
const THRESHOLD = 5;
const LASTING_MS = 5_000;
const FIRST_REST_MS = 15_000;
const MAX_REST_MS = 120_000;

/** Whoever is turned away while another one tries: that one is accepted, or fails, soon. */
const WHILE_TRYING_MS = 1_000;

/**
 * A circuit breaker: a model that only fails is not asked for a while, so that whoever needs it knows at once. Then one
 * request tries it: once it is accepted, the others follow, however long its answer takes; failed, it rests for twice as long.
 */
export class CircuitBreaker {
  #failures = 0;
  #failsSinceMs = 0;
  #rests = 0;
  #opensAtMs = 0;
  #isTrying = false;

  /** Whether a request would be turned away now. */
  get isOpen(): boolean {
    return this.#rests > 0 && (this.#isTrying || performance.now() < this.#opensAtMs);
  }

  get isIdle(): boolean {
    return this.#failures === 0;
  }

  /** Throws `model.away` while the model is left alone. */
  check(model: string): void {
    if (this.isOpen) throw away(model, this.#failures, this.#opensAtMs - performance.now());
  }

  /** As `check`; what it answers is to be told how the request goes. */
  begin(model: string): Permit {
    this.check(model);
    let isTrying = this.#rests > 0;
    this.#isTrying = isTrying;
    const close = (): void => {
      this.#failures = 0;
      this.#rests = 0;
    };
    const accepted = (): void => {
      // Of the others it says little: a provider may begin each of its answers, and break it off.
      if (!isTrying) return;
      isTrying = false;
      this.#isTrying = false;
      close();
    };
    const end = ({ kind }: RequestEnd): void => {
      if (isTrying) this.#isTrying = false;
      if (kind === 'failed') this.#failed(isTrying);
      if (kind === 'answered' || kind === 'refused') close();
    };
    return { accepted, end };
  }

  #failed(wasTrying: boolean): void {
    const nowMs = performance.now();
    if (this.#failures === 0) this.#failsSinceMs = nowMs;
    this.#failures += 1;
    // What was under way when the circuit opened fails too, and says nothing new.
    if (this.#rests > 0 && !wasTrying) return;
    const isLasting = this.#failures >= THRESHOLD && nowMs - this.#failsSinceMs >= LASTING_MS;
    if (!isLasting && !wasTrying) return;
    this.#opensAtMs = nowMs + Math.min(FIRST_REST_MS * 2 ** this.#rests, MAX_REST_MS);
    this.#rests += 1;
  }
}

function away(model: string, failures: number, restMs: number): AdkError {
  const retryAfterMs = Math.max(WHILE_TRYING_MS, Math.ceil(restMs));
  const message = `"${model}" failed ${failures} times in a row; it is not asked again for ${Math.ceil(retryAfterMs / 1_000)} s.`;
  return new AdkError('unavailable', 'model.away', message, { retryAfterMs });
}
