import { type CallRow } from '@skein/contracts';

/** The calls this worker runs now; not those that only rest here on their way to another. */
export class RunningCalls {
  readonly #running = new Map<symbol, Pick<CallRow, 'dispatchId' | 'pool'>>();

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

  inPool(pool: string): number {
    return [...this.#running.values()].filter((call) => call.pool === pool).length;
  }

  /** The ids of those that run longest, as many as are wanted. */
  some(limit: number): string[] {
    return [...this.#running.values()].slice(0, limit).map(({ dispatchId }) => dispatchId);
  }
}
