import { AsyncLocalStorage } from 'node:async_hooks';

/** One call as it runs inside of a thread or a process; what it leaves behind is told from the next one by it. */
export class RunningCall {
  static readonly #storage = new AsyncLocalStorage<RunningCall>();
  isOver = false;

  constructor(readonly dispatchId: string) {}

  /** Whose code this is; nothing outside of any call. */
  static get current(): RunningCall | undefined {
    return RunningCall.#storage.getStore();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await RunningCall.#storage.run(this, work);
    } finally {
      this.isOver = true;
    }
  }
}
