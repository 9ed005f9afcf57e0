import { LRUCache } from 'lru-cache';

/** Of those nobody waited for yet: a result may be read from its queue after its call was applied. */
const REMEMBERED = 10_000;

/** The calls whose response event this process has just stored. */
export class AppliedCalls {
  readonly #lately = new LRUCache<string, true>({ max: REMEMBERED });
  readonly #waiting = new Map<string, () => void>();

  tell(dispatchIds: readonly string[]): void {
    for (const dispatchId of dispatchIds) {
      const settle = this.#waiting.get(dispatchId);
      if (settle) settle();
      else this.#lately.set(dispatchId, true);
    }
  }

  /** The result that was applied is known: one that comes later is another. */
  forget(dispatchId: string): void {
    this.#lately.delete(dispatchId);
  }

  /** Whether a call is applied by then, as far as this process sees: another one may have stored it. */
  within(dispatchId: string, timeoutMs: number): Promise<boolean> {
    if (this.#lately.delete(dispatchId)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (isApplied: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(dispatchId);
        resolve(isApplied);
      };
      const timer = setTimeout(() => settle(false), timeoutMs);
      this.#waiting.set(dispatchId, () => settle(true));
    });
  }
}
