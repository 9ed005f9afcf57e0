import { setTimeout as delay } from 'node:timers/promises';
import { AdkError, type CallPass, type SessionKey } from '@skein/contracts';
import { type CallHolder, isGenuine, readCallHolder, type StorePool } from '@skein/session-store';
import { LRUCache } from 'lru-cache';

const REMEMBERED = 10_000;
/** A call that ended is known to have within so long. */
const REMEMBERED_MS = 2_000;

/** How long a call may not be there that left while it is stored (ADR 39). */
const STORED_WITHIN_MS = 3_000;
const FIRST_LOOK_MS = 10;

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
    this.assertGenuine(pass);
    const { tool, ticket } = pass;
    const holder = await this.#holderOf(ticket.dispatchId);
    // The worker of an earlier attempt was given up; what it still does counts for nobody.
    if (!holder?.isOpen || ticket.attempt < holder.attempt) {
      throw new AdkError('conflict', 'call.over', `Nobody waits for this call of ${tool} any more.`);
    }
    if (asked && !isOwn(holder, asked)) {
      throw new AdkError('denied', 'call.refused', `This call of ${tool} may not ask for what it asked for.`);
    }
    return holder;
  }

  assertGenuine({ tool, ticket }: CallPass): void {
    if (isGenuine(this.secret, tool, ticket)) return;
    throw new AdkError('denied', 'call.forged', `The ticket of a call of ${tool} was not issued here.`);
  }

  async #holderOf(dispatchId: string): Promise<CallHolder | undefined> {
    const known = this.#holders.get(dispatchId);
    if (known) return known;
    const endMs = performance.now() + STORED_WITHIN_MS;
    for (let waitMs = FIRST_LOOK_MS; ; waitMs *= 2) {
      const holder = await readCallHolder(this.pool, dispatchId);
      if (holder) this.#holders.set(dispatchId, holder);
      if (holder || performance.now() + waitMs > endMs) return holder;
      await delay(waitMs);
    }
  }
}

function isOwn(holder: CallHolder, { appName, userId, sessionId = holder.sessionId }: Asked): boolean {
  return holder.appName === appName && holder.userId === userId && holder.sessionId === sessionId;
}
