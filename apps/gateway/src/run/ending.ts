import { setMaxListeners } from 'node:events';
import { AdkError } from '@skein/contracts';

/** Tells who waits for a run that this gateway ends before the run does. */
export class Ending {
  readonly #controller = new AbortController();

  constructor() {
    // Every request that waits listens on it; Node would take more than ten of them for a leak.
    setMaxListeners(0, this.#controller.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(): void {
    const sentence =
      'This gateway ends: send the request again. A run goes on, and is found by its Idempotency-Key or its events';
    this.#controller.abort(new AdkError('unavailable', 'gateway.ending', sentence, { retryAfterMs: 1000 }));
  }
}
