import { type MessagingConnection, readStreamBirths } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import {
  noteRewound,
  noteStreamBirths,
  readRewound,
  rewindPublished,
  type StorePool,
} from '@skein/session-store';
import { type EventPublisher } from './event-publisher';

const WATCHED = ['TOOLS', 'RESULTS', 'EVENTS'] as const;

export interface StreamWatchParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly publisher: Pick<EventPublisher, 'forgetPublished' | 'publishInto'>;
  readonly logger: Logger;
}

/**
 * Notices that a stream is not the one it was, also when that happened while no session-svc ran: its disk was wiped, or
 * somebody deleted it. Calls that were sent before are then sent again by the sweep; events are published again here.
 */
export class StreamWatch {
  /** The stream this process publishes its events into. */
  #events: string | undefined;
  /** The one it saw last. */
  #seen: string | undefined;

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
   * From the note on, what any process says of the stream before counts no more; only then is taken back what they said,
   * once for all of them, and whoever dies before leaves it to be done. This process goes into the stream a look later, when
   * all it was answered before that has been dealt with; at its start it has been answered nothing.
   */
  async #lookAtEvents(birth: { readonly name: string; readonly created: string }): Promise<void> {
    const { pool, publisher } = this.parts;
    const { name, created } = birth;
    if (this.#events === created) return;
    await noteStreamBirths(pool, [birth]);
    if ((await readRewound(pool, name)) !== created) await this.#takeBack(birth);
    if (this.#events === undefined || this.#seen === created) {
      publisher.publishInto(created);
      this.#events = created;
    } else {
      publisher.forgetPublished();
    }
    this.#seen = created;
  }

  async #takeBack(birth: { readonly name: string; readonly created: string }): Promise<void> {
    const { pool, logger } = this.parts;
    const sessions = await rewindPublished(pool);
    await noteRewound(pool, birth);
    if (sessions > 0)
      logger.warn({ sessions }, 'the stream of events was lost: recent ones are published again');
  }
}
