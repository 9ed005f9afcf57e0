import { AdkError } from '@skein/contracts';

/** Tells who waits for a run that this gateway ends before the run does. */
export class Ending {
  readonly #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(): void {
    const sentence =
      'This gateway ends and the run goes on: send the request again with its Idempotency-Key, or read its events';
    this.#controller.abort(new AdkError('unavailable', 'gateway.ending', sentence, { retryAfterMs: 1000 }));
  }
}
