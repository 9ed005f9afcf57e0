import { type WatchdogNews, type WatchedCall } from './watchdog-news';

/** A tick that took longer was no tick: the whole process stood still, and what it missed it cannot have done. */
const MAX_TICK_MS = 500;

/** A loop is not called blocked sooner: a busy machine, or loading an app anew, holds it up as well. */
const MIN_PATIENCE_MS = 10_000;

/** Decides from what is heard of a loop, and of the time, whether it is blocked for too long. */
export class BlockedLoop {
  readonly #calls = new Map<number, WatchedCall & { readonly endsAtMs: number }>();
  /** Milliseconds in which this process could have run. */
  #nowMs = 0;
  #heardAtMs = 0;
  #hadCalls = false;

  readonly #patienceMs: number;

  constructor(ackWaitMs: number) {
    this.#patienceMs = Math.max(ackWaitMs, MIN_PATIENCE_MS);
  }

  hear(news: WatchdogNews): void {
    this.#heardAtMs = this.#nowMs;
    if (news.type === 'begun') {
      this.#hadCalls = true;
      this.#calls.set(news.id, { ...news.call, endsAtMs: this.#nowMs + news.timeoutMs });
    } else if (news.type === 'over') {
      this.#calls.delete(news.id);
    } else {
      this.#forgetLate();
    }
  }

  /** How long it is blocked, and by which calls it may be, once that is for too long. */
  tick(elapsedMs: number): { blockedMs: number; calls: WatchedCall[] } | undefined {
    this.#nowMs += Math.min(elapsedMs, MAX_TICK_MS);
    // Until then it loads its own modules and agents, which takes its time on a busy machine: ended, it would begin that anew.
    if (!this.#hadCalls) return undefined;
    const calls = [...this.#calls.values()];
    // Any of them may be the one that blocks: the last to end decides.
    const mayRunUntilMs = Math.max(this.#heardAtMs, ...calls.map(({ endsAtMs }) => endsAtMs));
    if (this.#nowMs <= mayRunUntilMs + this.#patienceMs) return undefined;
    return {
      blockedMs: this.#nowMs - this.#heardAtMs,
      calls: calls.map(({ dispatchId, tool }) => ({ dispatchId, tool })),
    };
  }

  /** A loop that beats is not blocked by a call that should be over: its tool was left behind. */
  #forgetLate(): void {
    for (const [id, { endsAtMs }] of this.#calls) if (endsAtMs < this.#nowMs) this.#calls.delete(id);
  }
}
