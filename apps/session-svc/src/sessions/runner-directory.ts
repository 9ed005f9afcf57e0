import { type RunnerAnnouncement, type SessionKey } from '@skein/contracts';
import { sessionKeyOf } from '@skein/session-store';
import { LRUCache } from 'lru-cache';

interface KnownRunner {
  credit: number;
  readonly isAwaited: boolean;
  readonly takesGuesses: boolean;
  readonly seenAtMs: number;
}

/** Runners announce themselves every second; three silences mean that one is gone. */
const GONE_AFTER_MS = 3_000;
const REMEMBERED_SESSIONS = 50_000;

/** Which runner would take an invocation, from what runners say of themselves. A guess: the runner itself decides. */
export class RunnerDirectory {
  readonly #runners = new Map<string, KnownRunner>();
  readonly #lastOwners = new LRUCache<string, string>({ max: REMEMBERED_SESSIONS });

  /** The clock is monotonic. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  announced({ runnerId, credit, isAwaited = false, takesGuesses = false }: RunnerAnnouncement): void {
    this.#runners.set(runnerId, { credit, isAwaited, takesGuesses, seenAtMs: this.nowMs() });
  }

  /** Whether it can be given a claim that is only guessed. */
  takesGuesses(runnerId: string): boolean {
    return this.#runners.get(runnerId)?.takesGuesses === true;
  }

  /**
   * The session's last owner while it has credit, because its cache is warm; else the runner with most credit. One credit of it is
   * taken at once: many submits are under way at a time, and all would go to one place.
   */
  pick(key?: SessionKey, except?: string): string | undefined {
    const picked = this.#best(key, except);
    if (picked !== undefined) this.#take(picked);
    return picked;
  }

  /** It was picked in vain: nothing was claimed for it. */
  unpicked(runnerId: string): void {
    this.ended(runnerId);
  }

  /** What it was picked for is its own now. */
  handedTo(runnerId: string, key: SessionKey): void {
    this.#lastOwners.set(sessionKeyOf(key), runnerId);
  }

  /** It claimed this itself. Counted here until its next announcement says it. */
  claimed(runnerId: string, key: SessionKey): void {
    this.#take(runnerId);
    this.handedTo(runnerId, key);
  }

  /**
   * A run of it ended: at hundreds of turns a second its credit would else be used up long before it speaks again. Where
   * others wait, the place is theirs: whoever comes now goes behind them.
   */
  ended(runnerId: string): void {
    const runner = this.#runners.get(runnerId);
    if (runner && !runner.isAwaited) runner.credit++;
  }

  /** It refused, or did not answer: nothing more until it announces itself again. */
  refused(runnerId: string): void {
    this.#runners.delete(runnerId);
  }

  #best(key?: SessionKey, except?: string): string | undefined {
    const lastOwner = key && this.#lastOwners.get(sessionKeyOf(key));
    if (lastOwner !== undefined && lastOwner !== except && this.#creditOf(lastOwner) > 0) return lastOwner;
    let best: string | undefined;
    for (const runnerId of this.#runners.keys()) {
      const credit = this.#creditOf(runnerId);
      if (runnerId !== except && credit > 0 && (best === undefined || credit > this.#creditOf(best)))
        best = runnerId;
    }
    return best;
  }

  #take(runnerId: string): void {
    const runner = this.#runners.get(runnerId);
    if (runner) runner.credit = Math.max(0, runner.credit - 1);
  }

  #creditOf(runnerId: string): number {
    const runner = this.#runners.get(runnerId);
    if (!runner) return 0;
    if (this.nowMs() - runner.seenAtMs <= GONE_AFTER_MS) return runner.credit;
    this.#runners.delete(runnerId);
    return 0;
  }
}
