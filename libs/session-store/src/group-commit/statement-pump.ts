export interface StatementPumpParts<Item> {
  /** How many statements may be under way. */
  readonly atOnce: number;
  /** What the next statement stores; empty while nothing waits. */
  readonly take: () => readonly Item[];
  /** Brings all of a batch to an answer; never rejects. */
  readonly settle: (batch: readonly Item[]) => Promise<void>;
}

/**
 * Group commit without a timer: a statement leaves at once while fewer than `atOnce` are under way, and takes what
 * gathered meanwhile.
 */
export class StatementPump<Item> {
  #running = 0;
  #isDue = false;

  constructor(private readonly parts: StatementPumpParts<Item>) {}

  /**
   * There is something to take. It is taken after what is runnable now, so that requests that arrived in one read of the
   * socket leave together: they are decoded in promises, all of which settle before this.
   */
  pumpSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    process.nextTick(() => {
      this.#isDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    const { atOnce, take, settle } = this.parts;
    while (this.#running < atOnce) {
      const batch = take();
      if (batch.length === 0) return;
      this.#running++;
      void settle(batch).finally(() => {
        this.#running--;
        this.#pump();
      });
    }
  }
}
