/** Above it, a provider that was overloaded once is no longer counted as such. */
const UNLIMITED_FROM = 256;
const FORGOTTEN_AFTER_MS = 300_000;

/**
 * How many requests may be under way: no limit until the provider is overloaded, half of what was under way then, and one
 * more for each round of answers (additive increase, multiplicative decrease).
 */
export class ConcurrencyLimit {
  #limit = Infinity;
  #loweredAtMs = -Infinity;

  of(nowMs: number): number {
    if (nowMs - this.#loweredAtMs > FORGOTTEN_AFTER_MS) this.#limit = Infinity;
    return Math.floor(this.#limit);
  }

  grow(): void {
    this.#limit += 1 / this.#limit;
    if (this.#limit > UNLIMITED_FROM) this.#limit = Infinity;
  }

  /** `underWay` were too many. */
  halve(underWay: number, nowMs: number): void {
    this.lowerTo(Math.max(1, Math.floor(Math.min(this.#limit, underWay) / 2)), nowMs);
  }

  lowerTo(limit: number, nowMs: number): void {
    this.#limit = Math.min(this.#limit, limit);
    this.#loweredAtMs = nowMs;
  }
}
