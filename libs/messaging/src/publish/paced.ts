/** Sends what it is offered, once in an interval at most: of what comes in between the latest, when the interval is over. */
export class Paced<T> {
  #waiting: { readonly value: T } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly intervalMs: number,
    private readonly send: (value: T) => void,
  ) {}

  offer(value: T): void {
    if (this.#isClosed) return;
    if (this.#timer === undefined) this.#sendNow(value);
    else this.#waiting = { value };
  }

  /** What still waits is not sent any more, nor is what is offered later. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }

  #sendNow(value: T): void {
    this.#timer = setTimeout(() => this.#due(), this.intervalMs);
    this.send(value);
  }

  #due(): void {
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this.#sendNow(waiting.value);
  }
}
