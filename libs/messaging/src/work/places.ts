/**
 * What is handled at once takes up places. A handler that only waits is aside: its place is another's, and it takes one up again as
 * it comes back, though there be none: what is asked for is less by it, and what came meanwhile is not refused for its sake.
 */
export class Places<Message> {
  readonly #working = new Set<Message>();
  readonly #aside = new Set<Message>();
  readonly #back = new Set<Message>();

  constructor(private readonly onRoom: () => void) {}

  /** How many have not been aside. */
  get working(): number {
    return this.#working.size;
  }

  get taken(): number {
    return this.#working.size + this.#back.size;
  }

  take(message: Message): void {
    this.#working.add(message);
  }

  free(message: Message): void {
    for (const places of [this.#working, this.#aside, this.#back]) places.delete(message);
    this.onRoom();
  }

  async aside<T>(message: Message, wait: () => Promise<T>): Promise<T> {
    this.free(message);
    this.#aside.add(message);
    try {
      return await wait();
    } finally {
      if (this.#aside.delete(message)) this.#back.add(message);
    }
  }
}
