import { AdkError } from '@skein/contracts';
import { ConcurrencyLimit } from './concurrency-limit';
import { type RequestEnd, type Permit, type Wait } from './rate-limiter';

/** That a provider is to be left alone, and how many requests it may get afterwards. */
export interface Hold {
  readonly holdMs: number;
  /** None: as many as there are. */
  readonly limit: number | undefined;
}

interface Waiter {
  readonly model: string;
  readonly wait: Wait;
  readonly admit: (permit: Permit) => void;
  readonly reject: (reason: unknown) => void;
}

const FIRST_HOLD_MS = 500;
const MAX_OWN_HOLD_MS = 30_000;
/** Whoever says it: after so long the provider may be asked whether it still wants that. */
const MAX_HOLD_MS = 600_000;
/** A refusal is quick: a request that was not refused for so long is being answered. */
const REFUSED_WITHIN_MS = 2_000;
/** Refusals of one burst each say "in a second" a little later; only what changes something is told. */
const WORTH_TELLING_MS = 1_000;

/** The limits of one lane. After a hold one request goes first, and the others once it is not refused. */
export class LaneLimiter {
  readonly #waiters: Waiter[] = [];
  readonly #limit = new ConcurrencyLimit();
  #underWay = 0;
  #notBeforeMs = 0;
  /** Holds in a row, none of whose first requests was accepted. */
  #holds = 0;
  /** Counts the holds: what began before the last one says nothing about it. */
  #generation = 0;
  #first: 'not needed' | 'to come' | 'under way' = 'not needed';
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly onHold: (hold: Hold) => void) {}

  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waiters.length === 0 && this.#notBeforeMs <= performance.now();
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  async enter(model: string, wait: Wait): Promise<Permit> {
    wait.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        // A timer that nobody waits for would keep a process from its end.
        this.#admit();
        // Whoever aborts gives the reason, and it is thrown as it was given.
        reject(wait.signal.reason as Error);
      };
      const settled = <T>(settle: (value: T) => void): ((value: T) => void) => {
        return (value) => {
          wait.signal.removeEventListener('abort', leave);
          settle(value);
        };
      };
      const waiter = { model, wait, admit: settled(resolve), reject: settled(reject) };
      wait.signal.addEventListener('abort', leave, { once: true });
      this.#waiters.push(waiter);
      this.#turnAwayWhoCannotWait();
      this.#admit();
    });
  }

  /** As somebody else heard it from the provider. */
  hear({ holdMs, limit }: Hold): void {
    const nowMs = performance.now();
    if (limit !== undefined) this.#limit.lowerTo(limit, nowMs);
    if (this.#extendTo(holdMs) > 0) this.#beginGeneration();
    this.#admit();
  }

  #admit(): void {
    clearTimeout(this.#timer);
    const holdMs = this.#notBeforeMs - performance.now();
    if (this.#waiters.length === 0) return;
    if (holdMs > 0) {
      this.#timer = setTimeout(() => this.#admit(), Math.ceil(holdMs));
      return;
    }
    while (this.#hasRoom()) this.#waiters.shift()?.admit(this.#begin());
  }

  #hasRoom(): boolean {
    if (this.#waiters.length === 0 || this.#first === 'under way') return false;
    return this.#first === 'to come' || this.#underWay < this.#limit.of(performance.now());
  }

  #begin(): Permit {
    const generation = this.#generation;
    this.#underWay += 1;
    if (this.#first === 'to come') {
      this.#first = 'under way';
      setTimeout(() => this.#accepted(generation), REFUSED_WITHIN_MS).unref();
    }
    return { accepted: () => this.#accepted(generation), end: (end) => this.#end(generation, end) };
  }

  #accepted(generation: number): void {
    if (generation !== this.#generation || this.#first === 'not needed') return;
    this.#first = 'not needed';
    this.#holds = 0;
    this.#admit();
  }

  #end(generation: number, end: RequestEnd): void {
    if (end.kind === 'overloaded') this.#overloaded(generation, end.retryAfterMs);
    this.#underWay -= 1;
    if (end.kind === 'answered') this.#limit.grow();
    if (end.kind === 'answered' || end.kind === 'refused') this.#accepted(generation);
    // It came to nothing: another has to go first.
    else if (generation === this.#generation && this.#first === 'under way') this.#first = 'to come';
    this.#admit();
  }

  #overloaded(generation: number, retryAfterMs: number | undefined): void {
    const nowMs = performance.now();
    const isNews = generation === this.#generation;
    if (isNews) {
      // A request that went first of all tells nothing of how many would have been too many.
      if (this.#first === 'not needed') this.#limit.halve(this.#underWay, nowMs);
      this.#holds += 1;
      this.#beginGeneration();
    }
    const extendedByMs = this.#extendTo(retryAfterMs ?? this.#ownHoldMs());
    if (!isNews && extendedByMs < WORTH_TELLING_MS) return;
    const limit = this.#limit.of(nowMs);
    this.onHold({ holdMs: this.#notBeforeMs - nowMs, limit: Number.isFinite(limit) ? limit : undefined });
  }

  #beginGeneration(): void {
    this.#generation += 1;
    this.#first = 'to come';
  }

  /** Answers by how much the hold became longer. */
  #extendTo(holdMs: number): number {
    const nowMs = performance.now();
    const notBeforeMs = nowMs + Math.min(holdMs, MAX_HOLD_MS);
    const extendedByMs = notBeforeMs - Math.max(this.#notBeforeMs, nowMs);
    if (extendedByMs <= 0) return 0;
    this.#notBeforeMs = notBeforeMs;
    this.#turnAwayWhoCannotWait();
    return extendedByMs;
  }

  /** Where the provider does not say how long. */
  #ownHoldMs(): number {
    return Math.min(FIRST_HOLD_MS * 2 ** (this.#holds - 1), MAX_OWN_HOLD_MS) * (0.75 + Math.random() / 2);
  }

  #turnAwayWhoCannotWait(): void {
    const holdMs = this.#notBeforeMs - performance.now();
    for (const waiter of [...this.#waiters]) {
      if (holdMs <= waiter.wait.maxHoldMs) continue;
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      waiter.reject(heldBack(waiter.model, holdMs));
    }
    if (this.#waiters.length === 0) clearTimeout(this.#timer);
  }
}

function heldBack(model: string, holdMs: number): AdkError {
  const message = `The provider of "${model}" takes no requests for another ${Math.ceil(holdMs / 1_000)} s.`;
  return new AdkError('unavailable', 'model.held-back', message, { retryAfterMs: Math.ceil(holdMs) });
}
