import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * What a run has begun and would have to do again elsewhere: a model call, an inline tool. Waiting for a tool is none of it:
 * its call is sent by who stores it, and its result is kept for whoever owns the run then.
 */
export class StepsUnderWay {
  #count = 0;
  /** How many have begun so far. */
  #begun = 0;
  readonly #waiting = new Set<() => void>();

  /** Answers how to say that it is over; harmless a second time. */
  begin(): () => void {
    this.#count++;
    this.#begun++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#count > 0) return;
      for (const settle of this.#waiting) settle();
      this.#waiting.clear();
    };
  }

  /** Resolves when no step is under way, what those before led to is stored, and none has begun meanwhile. */
  async atRest(stored: () => Promise<unknown>): Promise<void> {
    let begun: number;
    do {
      while (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
      begun = this.#begun;
      // What follows from a step, its unit with the calls it asked for, begins in the turns after it.
      await nextTurn();
      await stored();
      await nextTurn();
      // One that has begun since may be over already: what it led to is on its way, and would be fenced off and done again.
    } while (this.#begun > begun);
  }
}
