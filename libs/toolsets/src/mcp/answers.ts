interface Waiting {
  /** The answer came, or the request was given up. */
  isOver: boolean;
  /** Nothing more comes by the way the request went; the transport may ask for the rest by another one. */
  isCut: boolean;
}

/** How long what was received last may take through the SDK. */
const SETTLE_MS = 250;

/** The requests of a session over HTTP that wait: the SDK would wait for those of a cut stream until their time is over. */
export class Answers {
  readonly #waiting = new Map<unknown, Waiting>();

  asked(id: unknown): void {
    this.#waiting.set(id, { isOver: false, isCut: false });
  }

  came(id: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.isOver = true;
    this.#waiting.delete(id);
  }

  /** The way of an answer ended. `onMissing` is called if that was all, and the answer was not in it. */
  ended(id: unknown, isResumable: boolean, onMissing: () => void): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    waiting.isCut = true;
    if (isResumable) return;
    setTimeout(() => {
      if (!waiting.isOver) onMissing();
    }, SETTLE_MS).unref();
  }

  /** Whether an answer is missing that only another stream could bring. */
  get hasCut(): boolean {
    return [...this.#waiting.values()].some(({ isCut }) => isCut);
  }
}
