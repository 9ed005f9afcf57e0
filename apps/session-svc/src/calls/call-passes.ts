import { setTimeout as delay } from 'node:timers/promises';
import { AdkError, type CallPass, type SessionKey } from '@skein/contracts';
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

/** A call that left while it is stored asks no sooner than that, but maybe before that has come to an end. */
const STORED_WITHIN_MS = 3_000;
const LOOK_MS = 20;

/** Part of a request that says whose data it is about. */
type Asked = Pick<SessionKey, 'appName' | 'userId'> & Partial<Pick<SessionKey, 'sessionId'>>;

/** Checks what workers ask with: the ticket of a call that is open, about that call's own session. */
export class CallPasses {
  readonly #holders = new LRUCache<string, CallHolder>({ max: REMEMBERED, ttl: REMEMBERED_MS });

  constructor(
    private readonly pool: StorePool,
    private readonly secret: string,
  ) {}

  /** Answers whose call it is. Rejects with `call.forged`, `call.over`, or `call.refused` for data of somebody else. */
  async check(pass: CallPass, asked?: Asked): Promise<CallHolder> {
    const purpose = this.assertGenuine(pass);
    const { tool, ticket } = pass;
    const holder = await this.#holderOf(ticket.dispatchId, purpose);
    // The worker of an earlier attempt was given up; what it still does counts for nobody.
    if (!holder?.isOpen || ticket.attempt < holder.attempt) {
      throw new AdkError('conflict', 'call.over', `Nobody waits for this call of ${tool} any more.`);
    }
    if (asked && !isOwn(holder, asked)) {
      throw new AdkError('denied', 'call.refused', `This call of ${tool} may not ask for what it asked for.`);
    }
    return holder;
  }

  assertGenuine({ tool, ticket }: CallPass): TicketPurpose {
    const purpose = purposeOf(this.secret, tool, ticket);
    if (purpose) return purpose;
    throw new AdkError('denied', 'call.forged', `The ticket of a call of ${tool} was not issued here.`);
  }

  async #holderOf(dispatchId: string, purpose: TicketPurpose): Promise<CallHolder | undefined> {
    const known = this.#holders.get(dispatchId);
    if (known) return known;
    const endMs = performance.now() + (purpose === 'ahead' ? STORED_WITHIN_MS : 0);
    for (;;) {
      const holder = await readCallHolder(this.pool, dispatchId);
      if (holder) this.#holders.set(dispatchId, holder);
      if (holder || performance.now() >= endMs) return holder;
      await delay(LOOK_MS);
    }
  }
}

function isOwn(holder: CallHolder, { appName, userId, sessionId = holder.sessionId }: Asked): boolean {
  return holder.appName === appName && holder.userId === userId && holder.sessionId === sessionId;
}
