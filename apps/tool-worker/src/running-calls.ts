import { type CallRow } from '@skein/contracts';

/** The calls this worker runs now; not those that only rest here on their way to another. */
export class RunningCalls {
  readonly #running = new Map<symbol, Pick<CallRow, 'dispatchId' | 'pool'>>();
  #again = 0;

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
}
