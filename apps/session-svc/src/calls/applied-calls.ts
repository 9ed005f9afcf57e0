import { type AnsweredCall } from '@skein/contracts';
import { LRUCache } from 'lru-cache';

/** Of those nobody waited for yet: a result may be read from its queue after its call was applied. */
const REMEMBERED = 10_000;

type Settle = (isApplied: boolean) => void;

/** The answers to calls whose response event this process has just stored; another attempt's are others. */
export class AppliedCalls {
  readonly #lately = new LRUCache<string, true>({ max: REMEMBERED });
  readonly #waiting = new Map<string, Set<Settle>>();

  /** Nothing is known of a unit that does not say which attempts answered, as those of earlier runners do not. */
  tell(answered: readonly AnsweredCall[] = []): void {
    for (const answer of answered) {
      const key = keyOf(answer);
      const waiting = this.#waiting.get(key);
      if (waiting) for (const settle of waiting) settle(true);
      else this.#lately.set(key, true);
    }
  }

  /** Whether an answer is applied by then, as far as this process sees: another one may have stored it. */
  within(answer: AnsweredCall, timeoutMs: number): Promise<boolean> {
    const key = keyOf(answer);
    if (this.#lately.delete(key)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key) ?? new Set();
      const settle: Settle = (isApplied) => {
        clearTimeout(timer);
        waiting.delete(settle);
        if (waiting.size === 0) this.#waiting.delete(key);
        resolve(isApplied);
      };
      const timer = setTimeout(() => settle(false), timeoutMs);
      this.#waiting.set(key, waiting.add(settle));
    });
  }
}

function keyOf({ dispatchId, attempt }: AnsweredCall): string {
  return `${dispatchId} ${attempt}`;
}
