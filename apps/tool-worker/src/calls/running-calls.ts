import { type CallRow, type LeftBehind } from '@skein/contracts';

/** With this many the longest announcement stays below what goes through NATS in one message. */
const MAX_NAMED_TOOLS = 128;

type ToolOfPool = Omit<LeftBehind, 'calls'>;

/** The calls this worker runs now; not those that only rest here on their way to another. */
export class RunningCalls {
  readonly #running = new Map<symbol, Pick<CallRow, 'dispatchId' | 'pool'>>();
  readonly #leftBehind = new Map<symbol, ToolOfPool>();
  #again = 0;
  #onLeftBehind: () => void = () => undefined;

  async during<T>({ dispatchId, pool }: CallRow, work: () => Promise<T>): Promise<T> {
    // Of one call there may be two, where its message came a second time.
    const run = Symbol(dispatchId);
    this.#running.set(run, { dispatchId, pool });
    try {
      return await work();
    } finally {
      this.#running.delete(run);
    }
  }

  /**
   * One that others may have died of: told how many of its kind are beside it, which are those that a call can end with this
   * process. One in a thread or a process of its own is none.
   */
  async duringAgain<T>(isIsolated: boolean, work: (beside: number) => Promise<T>): Promise<T> {
    if (isIsolated) return work(0);
    try {
      return await work(this.#again++);
    } finally {
      this.#again--;
    }
  }

  inPool(pool: string): number {
    return [...this.#running.values()].filter((call) => call.pool === pool).length;
  }

  /** The ids of those that run longest, as many as are wanted. */
  some(limit: number): string[] {
    return [...this.#running.values()].slice(0, limit).map(({ dispatchId }) => dispatchId);
  }

  /** A call is over here, and its tool goes on until `run` settles: whoever wants to know is told at once. */
  leaveBehind(tool: ToolOfPool, run: Promise<unknown>): void {
    const one = Symbol(tool.tool);
    this.#leftBehind.set(one, tool);
    const forget = (): boolean => this.#leftBehind.delete(one);
    // Whatever it comes to is nobody's.
    run.then(forget, forget);
    this.#onLeftBehind();
  }

  onLeftBehind(listener: () => void): void {
    this.#onLeftBehind = listener;
  }

  /** How many of each tool go on. */
  leftBehind(): LeftBehind[] {
    const tools = new Map<string, LeftBehind>();
    for (const tool of this.#leftBehind.values()) {
      const key = JSON.stringify(tool);
      tools.set(key, { ...tool, calls: (tools.get(key)?.calls ?? 0) + 1 });
    }
    return [...tools.values()].slice(0, MAX_NAMED_TOOLS);
  }
}
