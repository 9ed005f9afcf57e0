/** A turn of the same session often follows within this; a person takes longer, and pays two subscriptions more. */
const IDLE_MS = 5_000;
/** Each is a few kilobytes here and two entries at the server. */
const MAX_IDLE = 1_000;

/** The sessions that nobody reads and that are listened to all the same, for their next turn; `forget` ends that. */
export class IdleSubscriptions {
  /** Since when, by name: the longest first. */
  readonly #since = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly forget: (name: string) => void) {}

  add(name: string): void {
    this.#since.set(name, performance.now());
    if (this.#since.size > MAX_IDLE) this.#forgetUntil(Infinity, this.#since.size - MAX_IDLE);
    // One for all of them: most are taken up again, and a timer for each would be begun and ended with each turn.
    this.#timer ??= setInterval(() => this.#sweep(), IDLE_MS).unref();
  }

  /** Somebody reads it again. */
  delete(name: string): void {
    this.#since.delete(name);
  }

  #sweep(): void {
    this.#forgetUntil(performance.now() - IDLE_MS, this.#since.size);
    if (this.#since.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #forgetUntil(sinceMs: number, most: number): void {
    let left = most;
    for (const [name, since] of this.#since) {
      if (since > sinceMs || left-- === 0) return;
      this.#since.delete(name);
      this.forget(name);
    }
  }
}
