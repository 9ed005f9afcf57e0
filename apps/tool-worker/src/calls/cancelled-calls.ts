import { LRUCache } from 'lru-cache';

const REMEMBERED = 10_000;

/** The invocations that were cancelled, as far as this worker heard: their calls are ended, or not begun. */
export class CancelledCalls {
  readonly #running = new Map<string, Set<AbortController>>();
  /** A call may come out of its queue after the word of its cancel. */
  readonly #cancelled = new LRUCache<string, true>({ max: REMEMBERED });

  cancel(invocationId: string): void {
    this.#cancelled.set(invocationId, true);
    for (const call of this.#running.get(invocationId) ?? []) call.abort();
  }

  /** Runs one call of an invocation under a signal that aborts when that is cancelled. */
  async during<T>(invocationId: string, work: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const call = new AbortController();
    if (this.#cancelled.has(invocationId)) call.abort();
    const calls = this.#running.get(invocationId) ?? new Set();
    this.#running.set(invocationId, calls.add(call));
    try {
      return await work(call.signal);
    } finally {
      calls.delete(call);
      if (calls.size === 0) this.#running.delete(invocationId);
    }
  }
}
