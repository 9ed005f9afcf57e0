import { type MessagingConnection, readStreamBirths } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { noteStreamBirths, rewindPublished, type StorePool } from '@skein/session-store';
import { type EventPublisher } from './event-publisher';

const WATCHED = ['TOOLS', 'RESULTS', 'EVENTS'] as const;

export interface StreamWatchParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly publisher: Pick<EventPublisher, 'forgetPublished'>;
  readonly logger: Logger;
}

/**
 * Notices that a stream is not the one it was, also when that happened while no session-svc ran: its disk was wiped, or
 * somebody deleted it. Calls that were sent before are then sent again by the sweep; events are published again here.
 */
export class StreamWatch {
  /** The stream this process publishes its events into. */
  #events: string | undefined;

  constructor(private readonly parts: StreamWatchParts) {}

  async look(): Promise<void> {
    const { pool, connection, logger } = this.parts;
    const births = await readStreamBirths(connection, WATCHED);
    const renewed = await noteStreamBirths(pool, births);
    if (renewed.length > 0) logger.info({ streams: renewed }, 'streams are not those remembered');
    const events = births.find(({ name }) => name === 'EVENTS')?.created;
    // Each process for itself: another may have noted it first, and this one has gone on from what was published before.
    const isLost = renewed.includes('EVENTS') || (this.#events !== undefined && this.#events !== events);
    if (isLost) await this.#publishAgain();
    this.#events = events;
  }

  async #publishAgain(): Promise<void> {
    const { pool, publisher, logger } = this.parts;
    publisher.forgetPublished();
    const sessions = await rewindPublished(pool);
    if (sessions > 0)
      logger.warn({ sessions }, 'the stream of events was lost: recent ones are published again');
  }
}
