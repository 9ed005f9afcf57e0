import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * What a run has begun and would have to do again elsewhere: a model call, an inline tool. Waiting for a tool is none of it:
 * its call is sent by who stores it, and its result is kept for whoever owns the run then.
 */
export class StepsUnderWay {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** Answers how to say that it is over; harmless a second time. */
  begin(): () => void {
    this.#count++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#count > 0) return;
      for (const settle of this.#waiting) settle();
      this.#waiting.clear();
    };
  }

  /** Resolves when no step is under way and, after what one led to is stored, none has begun. */
  async atRest(stored: () => Promise<unknown>): Promise<void> {
    do {
      if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
      // What follows from a step, its unit with the calls it asked for, begins in the turns after it.
      await nextTurn();
      await stored();
      await nextTurn();
    } while (this.#count > 0);
  }
}
