import { setMaxListeners } from 'node:events';
import { AdkError } from '@skein/contracts';

const SENTENCE =
  'This gateway ends: send the request again. A run goes on, and is found by its Idempotency-Key or its events';

/** Tells who waits for a run that this gateway ends before the run does. */
export class Ending {
  readonly #controller = new AbortController();
  readonly #reason = new AdkError('unavailable', 'gateway.ending', SENTENCE, { retryAfterMs: 1000 });
  readonly #waiting = new Set<(reason: AdkError) => void>();

  constructor() {
    // Every upload and download listens on it; Node would take more than ten of them for a leak.
    setMaxListeners(0, this.#controller.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Calls back with the reason when it begins, at once where it has; answers how to stop that. */
  onBegin(callback: (reason: AdkError) => void): () => void {
    if (this.signal.aborted) callback(this.#reason);
    else this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  begin(): void {
    this.#controller.abort(this.#reason);
    for (const callback of this.#waiting) callback(this.#reason);
    this.#waiting.clear();
  }
}
