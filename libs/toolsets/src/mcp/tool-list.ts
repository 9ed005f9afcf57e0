import { LRUCache } from 'lru-cache';

interface Listed<T> {
  readonly list: Promise<readonly T[]>;
  readonly untilMs: number;
  readonly askedAtMs: number;
}

export interface ToolListOptions {
  /** A list is asked for again after so long. */
  readonly cacheMs: number;
  readonly maxLists: number;
}

/** How long a failure stands for those who ask next, at least; one that took long to come stands as long again. */
const MIN_FAILURE_MS = 1_000;
/** However often somebody asks for what is not in it, a list is no younger than this. */
const MIN_AGE_MS = 1_000;

/** Lists by key, kept for a short time; who asks while one is under way gets that one. */
export class ToolList<T> {
  readonly #lists: LRUCache<string, Listed<T>>;

  constructor(private readonly options: ToolListOptions) {
    this.#lists = new LRUCache({ max: options.maxLists });
  }

  async get(key: string, ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
    const known = this.#lists.get(key);
    if (known && performance.now() < known.untilMs) return known.list;
    const now = performance.now();
    const list = ask();
    this.#lists.set(key, { list, askedAtMs: now, untilMs: now + this.options.cacheMs });
    list.catch(() => {
      if (this.#lists.peek(key)?.list !== list) return;
      const failedAtMs = performance.now();
      const untilMs = failedAtMs + Math.max(MIN_FAILURE_MS, failedAtMs - now);
      this.#lists.set(key, { list, askedAtMs: now, untilMs });
    });
    return list;
  }

  /** The server said that it is another one now. */
  drop(key: string): void {
    this.#lists.delete(key);
  }

  /** Forgets what is old enough to be another one now. */
  refresh(): void {
    const now = performance.now();
    for (const [key, { askedAtMs }] of this.#lists.entries()) {
      if (now - askedAtMs >= MIN_AGE_MS) this.#lists.delete(key);
    }
  }

  clear(): void {
    this.#lists.clear();
  }
}
