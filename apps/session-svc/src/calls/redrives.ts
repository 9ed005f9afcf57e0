import { type DeadLetterDetails, type Redrive, subjects } from '@skein/contracts';
import { type MessagingConnection, publishWork } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  confirmRedriven,
  endLetterless,
  endOverdueRedrives,
  inspectDeadLetter,
  readAdmittedRedrives,
  readUnsentRedrives,
  redriveDeadLetter,
  type StorePool,
  type UnsentRedrive,
} from '@skein/session-store';
import { type Admission } from './admission';
import { callMessageId } from './call-message-id';

export interface RedrivesParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly admission: Pick<Admission, 'queued' | 'ended' | 'onRedriven'>;
  readonly secret: string;
  readonly logger: Logger;
}

/** Longer than a publish is tried, so that a sweep sends none that its own process is about to send. */
const GRACE_MS = 10_000;

/**
 * Dead letters that are sent again. A redrive waits for its turn as every call does, and is sent when that has come; a sweep
 * sends what its sender did not. What it comes to is kept with the letter, and no run hears of it.
 */
export class Redrives {
  constructor(private readonly parts: RedrivesParts) {
    parts.admission.onRedriven((dispatchIds) => this.#sendAdmitted(dispatchIds));
  }

  /** Answers the letter as it is then; one that may not be sent again is a conflict. */
  async redrive(request: Redrive): Promise<DeadLetterDetails> {
    const { pool, admission } = this.parts;
    admission.queued(await redriveDeadLetter(pool, request));
    return inspectDeadLetter(pool, request);
  }

  async sweep(): Promise<void> {
    const { pool, secret, admission, logger } = this.parts;
    const overdue = await endOverdueRedrives(pool);
    if (overdue > 0) {
      admission.ended();
      logger.warn({ overdue }, 'redriven calls gave nothing before their deadline');
    }
    for (const unsent of await readUnsentRedrives(pool, secret, GRACE_MS)) await this.#send(unsent);
  }

  async #sendAdmitted(dispatchIds: readonly string[]): Promise<void> {
    const { pool, secret } = this.parts;
    const redrives = await readAdmittedRedrives(pool, secret, dispatchIds);
    const found = new Set(redrives.map(({ message }) => message.call.dispatchId));
    const others = dispatchIds.filter((dispatchId) => !found.has(dispatchId));
    await Promise.all([...redrives.map((redrive) => this.#send(redrive)), this.#endLetterless(others)]);
  }

  /** As a session-svc of a version before leaves them, which opens a letter again and its call as it is. */
  async #endLetterless(dispatchIds: readonly string[]): Promise<void> {
    if (dispatchIds.length === 0) return;
    const { pool, admission, logger } = this.parts;
    const ended = await endLetterless(pool, dispatchIds);
    if (ended === 0) return;
    admission.ended();
    logger.warn({ ended }, 'redrives ended that have no letter any more');
  }

  /** One that cannot be sent now is stored as begun: the next sweep sends it, and its deadline ends it. */
  async #send(unsent: UnsentRedrive): Promise<void> {
    const { pool, connection, logger } = this.parts;
    const { call, ticket } = unsent.message;
    const { dispatchId } = call;
    const ids = workIdsOf(unsent.message);
    try {
      await publishWork(connection, subjects.tool(call.pool), unsent.message, {
        msgId: callMessageId(unsent.message),
      });
      await confirmRedriven(pool, unsent);
      logger.info({ ...ids, dispatchId, attempt: ticket.attempt, tool: call.tool }, 'dead letter sent again');
    } catch (error) {
      logger.warn({ ...ids, dispatchId, err: error }, 'redrive not sent, the next sweep tries again');
    }
  }
}
