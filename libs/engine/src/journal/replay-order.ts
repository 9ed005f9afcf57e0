/** One thing that waits in a run that goes on after a crash, and for what. */
interface Wait {
  readonly isDue: (position: number) => boolean;
  readonly resolve: () => void;
}

/** What one of several lines of work, begun together, tells of itself. */
export interface Lines {
  /** Resolves when an event of this step may go on to the log. */
  turnOf(stepKey: string | undefined): Promise<void>;
  /** One of them has come to its end. */
  ended(): void;
  /** Nobody waits for any of them any more. */
  close(): void;
}

/**
 * The order in which a run that goes on after a crash gives out what is stored: that of the log, also where agents are at
 * work side by side. The next stored event is given out when every line of work waits for something, so each has seen the
 * state it saw then and no more; what is not stored begins when all that is stored was given out. Events that no line
 * comes to, since the code changed, keep nobody waiting.
 */
export class ReplayOrder {
  readonly #places: ReadonlyMap<string, number>;
  readonly #given = new Set<number>();
  readonly #waits = new Set<Wait>();
  /** The place of the stored event that is next. */
  #next = 0;
  #committed = 0;
  #lines = 1;

  /**
   * @param stepKeys the steps of the stored events, in the order of the log
   * @param outer that of the run which this one is a tool of: nothing new begins here before all is given out there
   */
  constructor(
    stepKeys: readonly string[],
    private readonly outer?: ReplayOrder,
  ) {
    this.#places = new Map(stepKeys.map((stepKey, place) => [stepKey, place]));
  }

  /** Events of this segment that are in the log by now. */
  get position(): number {
    return this.#committed;
  }

  /** Notes that an event is in the session's log. */
  committed(stepKey: string): void {
    this.#committed += 1;
    const place = this.#places.get(stepKey);
    if (place === undefined) return;
    this.#given.add(place);
    this.#passGiven();
    // Nothing stored is left to wait for: all go on side by side, as they did.
    if (this.#isOver) this.#wake(() => true);
  }

  /**
   * Resolves when everything stored was given out, so that something new may begin; answers nothing where that is so, as it
   * is in all but a few runs. Rejects when the signal aborts.
   */
  live(signal: AbortSignal): Promise<void> | undefined {
    return this.#isOver ? this.outer?.live(signal) : this.#untilOver(signal);
  }

  async #untilOver(signal: AbortSignal): Promise<void> {
    await this.#wait(() => false, signal);
    await this.outer?.live(signal);
  }

  /** Resolves when as many events are in the log as were at this moment in the first run. */
  async reach(position: number, signal: AbortSignal): Promise<void> {
    if (!this.#isOver && position > this.#next) await this.#wait((next) => next >= position, signal);
  }

  /** Tells that so many lines of work begin in the place of the one that asks; it goes on when all have ended. */
  fork(count: number): Lines {
    // Made where one waits: in a run that nobody took over none does.
    let controller: AbortController | undefined;
    // They wait there too, once all is given out here.
    const outer = this.outer?.fork(count);
    let open = count;
    const endTo = (left: number): void => {
      // The last one's place is that of the line that forked.
      this.#lines -= Math.max(open, 1) - Math.max(left, 1);
      open = left;
      this.#goOn();
    };
    this.#lines += Math.max(count, 1) - 1;
    return {
      turnOf: async (stepKey) => {
        if (this.#isOver) return;
        controller ??= new AbortController();
        await this.#turnOf(stepKey, controller.signal).catch(() => undefined);
      },
      ended: () => {
        endTo(Math.max(0, open - 1));
        outer?.ended();
      },
      close: () => {
        // Who comes to it only now is not to wait either.
        (controller ??= new AbortController()).abort();
        endTo(0);
        outer?.close();
      },
    };
  }

  /** Tells that the line that asks does one more thing at the same time, or one less. */
  beside(more: 1 | -1): void {
    this.outer?.beside(more);
    this.#lines += more;
    if (more < 0) this.#goOn();
  }

  async #turnOf(stepKey: string | undefined, signal: AbortSignal): Promise<void> {
    const place = stepKey === undefined ? undefined : this.#places.get(stepKey);
    const isStored = place !== undefined && place >= this.#next;
    await this.#wait((next) => isStored && place === next, signal);
  }

  async #wait(isDue: Wait['isDue'], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let abort: () => void = () => undefined;
    let wait: Wait | undefined;
    const due = new Promise<void>((resolve, reject) => {
      wait = { isDue, resolve };
      this.#waits.add(wait);
      abort = () => {
        // At once: its line is counted no longer either.
        if (wait) this.#waits.delete(wait);
        // An AbortSignal's reason is what its owner aborted it with: always an Error here.
        reject(signal.reason as Error);
      };
    });
    signal.addEventListener('abort', abort, { once: true });
    this.#goOn();
    try {
      await due;
    } finally {
      signal.removeEventListener('abort', abort);
      if (wait) this.#waits.delete(wait);
    }
  }

  /** Once all lines wait: whoever is due goes on, one at least. */
  #goOn(): void {
    while (this.#waits.size > 0 && this.#waits.size >= this.#lines) {
      if (this.#wake(({ isDue }) => this.#isOver || isDue(this.#next))) continue;
      // Nobody comes to it: the code is not what it was.
      this.#given.add(this.#next);
      this.#passGiven();
    }
  }

  #wake(isDue: (wait: Wait) => boolean): boolean {
    const due = [...this.#waits].filter(isDue);
    for (const wait of due) {
      this.#waits.delete(wait);
      wait.resolve();
    }
    return due.length > 0;
  }

  #passGiven(): void {
    while (this.#given.has(this.#next)) this.#next += 1;
  }

  get #isOver(): boolean {
    return this.#next >= this.#places.size;
  }
}
