import { type Context, context } from '@opentelemetry/api';
import { AdkError, type Appended, type AppendUnit, type SessionKey } from '@skein/contracts';
import { type Chain, follows } from './chain';

interface Pending {
  readonly unit: AppendUnit;
  /** The request's own: its trace, not that of whoever's batch the unit went with. */
  readonly traced: Context;
  readonly expiresAtMs: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: AdkError) => void;
}

interface SessionLine {
  /** Waiting units, by epoch and append number. */
  readonly waiting: Pending[];
  /** A chain of this session is under way; a second one would only wait for its lock. */
  isTaken: boolean;
  /** Set while the first waiting unit waits for one that has not come. */
  pause: NodeJS.Timeout | undefined;
}

/**
 * What one statement takes. Above it, two statements on two connections are quicker than one of twice the size: the
 * server works on them side by side, and this process makes one ready while the other is under way.
 */
const MAX_UNITS_OF_BATCH = 64;
const PAUSE_MS = 10;

/** Units on their way into the database, in order within each session. */
export class UnitQueue {
  readonly #lines = new Map<string, SessionLine>();
  /** Sessions with something to take, oldest first. */
  readonly #ready = new Set<string>();
  readonly #taken = new Map<AppendUnit, Pending>();

  constructor(
    private readonly predecessorWaitMs: number,
    private readonly onReady: () => void,
  ) {}

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  add(unit: AppendUnit): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#insert({
        unit,
        traced: context.active(),
        expiresAtMs: performance.now() + this.predecessorWaitMs,
        resolve,
        reject,
      });
    });
  }

  /** The next batch: a chain of each session that has one, the longest waiting first. */
  take(): Chain[] {
    const chains: Chain[] = [];
    let count = 0;
    for (const key of this.#ready) {
      const line = this.#lines.get(key);
      const first = line?.waiting.shift();
      this.#ready.delete(key);
      if (!line || !first) continue;
      const chain: [Pending, ...Pending[]] = [first];
      for (
        let next = line.waiting[0];
        next && follows((chain.at(-1) ?? first).unit, next.unit);
        next = line.waiting[0]
      ) {
        if (count + chain.length >= MAX_UNITS_OF_BATCH) break;
        chain.push(next);
        line.waiting.shift();
      }
      line.isTaken = true;
      for (const pending of chain) this.#taken.set(pending.unit, pending);
      chains.push([first.unit, ...chain.slice(1).map(({ unit }) => unit)]);
      count += chain.length;
      if (count >= MAX_UNITS_OF_BATCH) break;
    }
    return chains;
  }

  /** Runs something within the trace of the request a taken unit came with. */
  inTraceOf<T>(unit: AppendUnit, run: () => T): T {
    return context.with(this.contextOf(unit), run);
  }

  contextOf(unit: AppendUnit): Context {
    return this.#taken.get(unit)?.traced ?? context.active();
  }

  /** The session's chain is settled; the next one may be taken. */
  done(key: string): void {
    const line = this.#lines.get(key);
    if (!line) return;
    line.isTaken = false;
    if (line.waiting.length === 0) this.#lines.delete(key);
    else if (!line.pause) this.#ready.add(key);
  }

  resolve(unit: AppendUnit, appended: Appended): void {
    this.#release(unit)?.resolve(appended);
  }

  /** Also rejects what waits behind the unit under the same claim: without it none of them can take effect. */
  reject(unit: AppendUnit, error: AdkError): void {
    this.#release(unit)?.reject(error);
    const line = this.#lines.get(sessionKeyOf(unit));
    if (!line) return;
    for (const { unit: later, reject } of line.waiting) if (isBehind(later, unit)) reject(error);
    const kept = line.waiting.filter(({ unit: other }) => !isBehind(other, unit));
    line.waiting.splice(0, line.waiting.length, ...kept);
  }

  putBack(unit: AppendUnit): void {
    const pending = this.#release(unit);
    if (pending) this.#insert(pending);
  }

  /** Tries the unit again when another one of its session has come, or soon: its predecessor may go another way. */
  holdBack(unit: AppendUnit): void {
    const pending = this.#release(unit);
    if (!pending) return;
    if (performance.now() > pending.expiresAtMs) {
      pending.reject(
        new AdkError('unavailable', 'append.predecessor-missing', 'The unit before this one did not arrive.'),
      );
      return;
    }
    this.#insert(pending);
    const key = sessionKeyOf(unit);
    const line = this.#lines.get(key);
    if (!line) return;
    this.#ready.delete(key);
    line.pause ??= setTimeout(() => this.#resume(key), PAUSE_MS);
  }

  #insert(pending: Pending): void {
    const key = sessionKeyOf(pending.unit);
    const line = this.#lines.get(key) ?? { waiting: [], isTaken: false, pause: undefined };
    this.#lines.set(key, line);
    const place = line.waiting.findIndex(({ unit }) => comesBefore(pending.unit, unit));
    line.waiting.splice(place === -1 ? line.waiting.length : place, 0, pending);
    this.#resume(key);
  }

  #resume(key: string): void {
    const line = this.#lines.get(key);
    if (!line) return;
    clearTimeout(line.pause);
    line.pause = undefined;
    if (line.isTaken) return;
    this.#ready.add(key);
    this.onReady();
  }

  #release(unit: AppendUnit): Pending | undefined {
    const pending = this.#taken.get(unit);
    this.#taken.delete(unit);
    return pending;
  }
}

/** Ids may hold any character, so the key says where each ends. Every turn asks for it a dozen times. */
export function sessionKeyOf({ appName, userId, sessionId }: SessionKey): string {
  return `${appName.length}.${userId.length}.${appName}${userId}${sessionId}`;
}

/** Beside a guess that is wrong the claim that was made has the same epoch, and units of its own. */
function isBehind(one: AppendUnit, other: AppendUnit): boolean {
  const isSameClaim = one.invocationId === other.invocationId && one.epoch === other.epoch;
  return isSameClaim && one.appendNo > other.appendNo;
}

function comesBefore(one: AppendUnit, other: AppendUnit): boolean {
  return one.epoch === other.epoch ? one.appendNo < other.appendNo : one.epoch < other.epoch;
}
