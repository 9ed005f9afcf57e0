import { randomUUID, timingSafeEqual } from 'node:crypto';
import {
  type AskStored,
  askStoredSchema,
  type StoredVerdict,
  subjects,
  type Ticket,
  TOLD_STORED_WITHIN_MS,
} from '@skein/contracts';
import { type MessagingConnection, type RpcServer, serveRpc } from '@skein/messaging';
import { LRUCache } from 'lru-cache';

/** More than are asked for by the time others have left. */
const REMEMBERED = 10_000;
/** Each waits for its statement, so all that one process can have must fit at once. */
const CONCURRENCY = 4_096;

interface LeftCall {
  readonly ticket: Ticket;
  readonly decided: Promise<StoredVerdict>;
  readonly decide: (verdict: StoredVerdict) => void;
}

/**
 * Calls that left this process while it stores them: their workers hold them, and ask here whether they may begin. Who does not
 * hear it from here finds it out from the database (ADR 44).
 */
export class StoredCalls {
  /** Where this process is asked, and nobody else. */
  readonly subject = subjects.stored(randomUUID());
  readonly #left = new LRUCache<string, LeftCall>({ max: REMEMBERED });

  serve(connection: MessagingConnection): RpcServer {
    return serveRpc(connection, this.subject, {
      schema: askStoredSchema,
      concurrency: CONCURRENCY,
      isInlineOnly: true,
      isAwaited: true,
      handler: async (asked) => ({ verdict: await this.verdictOf(asked) }),
    });
  }

  /** The call leaves with this ticket, in the moment in which its statement does. */
  leaves(ticket: Ticket): void {
    let decide: LeftCall['decide'] = () => undefined;
    const decided = new Promise<StoredVerdict>((resolve) => (decide = resolve));
    this.#left.set(ticket.dispatchId, { ticket, decided, decide });
  }

  /** What became of the call that left with this ticket. */
  decide(ticket: Pick<Ticket, 'dispatchId' | 'deadlineMs'>, verdict: 'stored' | 'refused'): void {
    const call = this.#left.get(ticket.dispatchId);
    if (call?.ticket.deadlineMs === ticket.deadlineMs) call.decide(verdict);
  }

  /** The call is stored and waits for its turn, and leaves with another ticket then, whether it had left before or not. */
  putOff(dispatchId: string): void {
    this.#left.get(dispatchId)?.decide('refused');
  }

  /** As soon as it is known here; `unknown` of a ticket that did not leave from here. */
  async verdictOf({ ticket }: AskStored): Promise<StoredVerdict> {
    const call = this.#left.get(ticket.dispatchId);
    return call && isSame(ticket, call.ticket) ? inTime(call.decided) : 'unknown';
  }
}

/** Of a call that left twice, since its unit was tried again, the ticket of before is another. */
function isSame(one: Ticket, other: Ticket): boolean {
  const [left, right] = [Buffer.from(one.hmac), Buffer.from(other.hmac)];
  return one.deadlineMs === other.deadlineMs && left.length === right.length && timingSafeEqual(left, right);
}

async function inTime(decided: Promise<StoredVerdict>): Promise<StoredVerdict> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StoredVerdict>((resolve) => {
    timer = setTimeout(() => resolve('unknown'), TOLD_STORED_WITHIN_MS);
  });
  try {
    return await Promise.race([decided, late]);
  } finally {
    clearTimeout(timer);
  }
}
