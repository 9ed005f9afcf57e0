import { setTimeout as delay } from 'node:timers/promises';
import { AdkError, type CallPass, type SessionKey, type Ticket } from '@skein/contracts';
import {
  type CallHolder,
  purposeOf,
  readCallHolder,
  type StorePool,
  type TicketPurpose,
} from '@skein/session-store';
import { LRUCache } from 'lru-cache';

const REMEMBERED = 10_000;
/** A call that ended is known to have within so long. */
const REMEMBERED_MS = 2_000;

/** How long is waited for a call that left while it is stored (ADR 39). */
const STORED_WITHIN_MS = 3_000;
const FIRST_LOOK_MS = 10;

type Claims = Omit<Ticket, 'hmac'>;

/** Part of a request that says whose data it is about. */
type Asked = Pick<SessionKey, 'appName' | 'userId'> & Partial<Pick<SessionKey, 'sessionId'>>;

/** Checks what workers ask with: the ticket of a call that is open, about that call's own session. */
export class CallPasses {
  readonly #holders = new LRUCache<string, CallHolder>({ max: REMEMBERED, ttl: REMEMBERED_MS });

  constructor(
    private readonly pool: StorePool,
    private readonly secret: string,
  ) {}

  /**
   * Answers whose call it is. Rejects with `call.forged`, `call.over`, or `call.refused` for data of somebody else; with `call.early`
   * where the call left while it is stored and that takes long.
   */
  async check(pass: CallPass, asked?: Asked): Promise<CallHolder> {
    const purpose = this.assertGenuine(pass);
    const { tool, ticket } = pass;
    const isAhead = purpose === 'ahead';
    const holder = await this.#holderOf(ticket.dispatchId, isAhead ? STORED_WITHIN_MS : 0);
    if (!holder && isAhead)
      throw new AdkError('unavailable', 'call.early', `This call of ${tool} is not stored yet.`);
    // The worker of an earlier attempt was given up; what it still does counts for nobody. Nor does that of a call that never was.
    const isCounted =
      holder?.isOpen && ticket.attempt >= holder.attempt && (!isAhead || isOf(holder, ticket));
    if (!holder || !isCounted)
      throw new AdkError('conflict', 'call.over', `Nobody waits for this call of ${tool} any more.`);
    if (asked && !isOwn(holder, asked)) {
      throw new AdkError('denied', 'call.refused', `This call of ${tool} may not ask for what it asked for.`);
    }
    return holder;
  }

  /** Rejects with `call.forged`; else what the ticket was issued for. */
  assertGenuine({ tool, ticket }: CallPass): TicketPurpose {
    const purpose = purposeOf(this.secret, tool, ticket);
    if (purpose) return purpose;
    throw new AdkError('denied', 'call.forged', `The ticket of a call of ${tool} was not issued here.`);
  }

  /**
   * Whether the call that left with this ticket is the one that is stored under its id: a unit that was refused may have sent another,
   * with other arguments, before the run's next owner stored its own. Nothing while none is stored.
   */
  async isStored(ticket: Claims): Promise<boolean | undefined> {
    const holder = await this.#holderOf(ticket.dispatchId, 0);
    return holder && isOf(holder, ticket);
  }

  async #holderOf(dispatchId: string, patienceMs: number): Promise<CallHolder | undefined> {
    const known = this.#holders.get(dispatchId);
    if (known) return known;
    const endMs = performance.now() + patienceMs;
    for (let waitMs = FIRST_LOOK_MS; ; waitMs *= 2) {
      const holder = await readCallHolder(this.pool, dispatchId);
      if (holder) this.#holders.set(dispatchId, holder);
      if (holder || performance.now() + waitMs > endMs) return holder;
      await delay(waitMs);
    }
  }
}

function isOf({ aheadDeadlineMs }: CallHolder, { attempt, deadlineMs }: Claims): boolean {
  return attempt === 1 && aheadDeadlineMs === deadlineMs;
}

function isOwn(holder: CallHolder, { appName, userId, sessionId = holder.sessionId }: Asked): boolean {
  return holder.appName === appName && holder.userId === userId && holder.sessionId === sessionId;
}
