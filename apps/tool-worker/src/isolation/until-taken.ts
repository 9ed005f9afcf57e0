const TICK_MS = 1_000;

/**
 * Waits for the word that a call was taken; aborts `signal` when it does not come. It counts looks, not time: a worker that was
 * held up itself hears what came meanwhile before it looks again.
 */
export class UntilTaken {
  readonly #untaken = new AbortController();
  readonly signal = this.#untaken.signal;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly patienceSeconds: number) {}

  given(): void {
    let left = this.patienceSeconds;
    this.#timer = setInterval(() => {
      if (--left > 0) return;
      this.clear();
      this.#untaken.abort();
    }, TICK_MS);
  }

  clear(): void {
    clearInterval(this.#timer);
  }
}
