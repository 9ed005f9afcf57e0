import { type MessagingConnection, readStreamBirths } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { noteStreamBirths, readStreamBirth, rewindPublished, type StorePool } from '@skein/session-store';
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
  /** The one it has gone back for once. */
  #rewoundFor: string | undefined;

  constructor(private readonly parts: StreamWatchParts) {}

  async look(): Promise<void> {
    const { pool, connection, logger } = this.parts;
    const births = await readStreamBirths(connection, WATCHED);
    const renewed = await noteStreamBirths(
      pool,
      births.filter(({ name }) => name !== 'EVENTS'),
    );
    if (renewed.length > 0) logger.info({ streams: renewed }, 'streams are not those remembered');
    for (const birth of births) if (birth.name === 'EVENTS') await this.#lookAtEvents(birth);
  }

  /**
   * Each process for itself: another may have noted it first, and this one has gone on from what was published before. The
   * stream is remembered after that is done: whoever dies before leaves it to be done. Done twice, in one look and in the
   * next, because an append under way the first time may still note what the old stream had.
   */
  async #lookAtEvents(birth: { readonly name: string; readonly created: string }): Promise<void> {
    const { pool } = this.parts;
    this.#events ??= await readStreamBirth(pool, birth.name);
    if (this.#events === birth.created) return;
    await this.#publishAgain();
    const isSecond = this.#rewoundFor === birth.created;
    this.#rewoundFor = birth.created;
    if (!isSecond) return;
    await noteStreamBirths(pool, [birth]);
    this.#events = birth.created;
  }

  async #publishAgain(): Promise<void> {
    const { pool, publisher, logger } = this.parts;
    publisher.forgetPublished();
    const sessions = await rewindPublished(pool);
    // What was answered meanwhile, before its session's turn, was the head of the old stream.
    publisher.forgetPublished();
    if (sessions > 0)
      logger.warn({ sessions }, 'the stream of events was lost: recent ones are published again');
  }
}
