import { type DeadLetterDetails, type Redrive, subjects } from '@skein/contracts';
import { type MessagingConnection, publishWork } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import {
  confirmRedriven,
  endOverdueRedrives,
  inspectDeadLetter,
  readUnsentRedrives,
  redriveDeadLetter,
  type StorePool,
  type UnsentRedrive,
} from '@skein/session-store';

export interface RedrivesParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly secret: string;
  readonly logger: Logger;
}
import { callMessageId } from './call-message-id';

/** Longer than a publish is tried, so that a sweep sends none that its own process is about to send. */
const GRACE_MS = 10_000;

/**
 * Dead letters that are sent again. A redrive is stored before it is sent, and a sweep sends what its sender did not; what
 * it comes to is kept with the letter, and no run hears of it.
 */
export class Redrives {
  constructor(private readonly parts: RedrivesParts) {}

  /** Answers the letter as it is then; one that may not be sent again is a conflict. */
  async redrive(request: Redrive): Promise<DeadLetterDetails> {
    const { pool, secret } = this.parts;
    await this.#send(await redriveDeadLetter(pool, secret, request));
    return inspectDeadLetter(pool, request);
  }

  async sweep(): Promise<void> {
    const { pool, secret, logger } = this.parts;
    const overdue = await endOverdueRedrives(pool);
    if (overdue > 0) logger.warn({ overdue }, 'redriven calls gave nothing before their deadline');
    for (const unsent of await readUnsentRedrives(pool, secret, GRACE_MS)) await this.#send(unsent);
  }

  /** One that cannot be sent now is stored as begun: the next sweep sends it, and its deadline ends it. */
  async #send(unsent: UnsentRedrive): Promise<void> {
    const { pool, connection, logger } = this.parts;
    const { call, ticket } = unsent.message;
    const { dispatchId } = call;
    try {
      await publishWork(connection, subjects.tool(call.pool), unsent.message, {
        msgId: callMessageId(unsent.message),
      });
      await confirmRedriven(pool, unsent);
      logger.info({ dispatchId, attempt: ticket.attempt, tool: call.tool }, 'dead letter sent again');
    } catch (error) {
      logger.warn({ dispatchId, err: error }, 'redrive not sent, the next sweep tries again');
    }
  }
}
