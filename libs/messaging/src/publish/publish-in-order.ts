import { type MessagingConnection } from '../connection/messaging-connection';
import { publishWork } from './publish-work';
import { WorkBody } from './work-body';

export interface OrderedMessage {
  /** As that of `PublishWork`. */
  readonly msgId: string;
  readonly body: unknown;
}

/** The server refuses a message unless the last one its stream has stored is of this id. */
const BEHIND_HEADER = 'Nats-Expected-Last-Msg-Id';
/** As long as `publishWork` would wait for NATS before it sends the first of them. */
const PATIENCE_MS = 20_000;

/**
 * Puts messages into their stream, none before those ahead of it, and tells of each once the stream has it. They leave together:
 * the stream takes each only right behind the one ahead. One that it refuses, because that one was refused or another process's
 * came in between, is sent again when those ahead are stored. Rejects as `publishWork`; of what is behind none is stored then.
 */
export async function publishInOrder(
  connection: MessagingConnection,
  subject: string,
  messages: readonly OrderedMessage[],
  onStored: (index: number) => void,
): Promise<void> {
  const ordered = messages.map(({ msgId, body }) => ({ msgId, work: new WorkBody(connection, body) }));
  // Of a cluster that refused one so, a stream of several replicas was seen to answer no more: there one waits for the other.
  const isOneServer = connection.nats.info?.cluster === undefined;
  let ready: Promise<unknown> = Promise.resolve();
  const tries = isOneServer
    ? ordered.map(({ msgId, work }, index) => {
        // Who hears the subject itself hears them as they leave: one that is ready sooner waits for those ahead.
        ready = ready.then(() => work.encoded(PATIENCE_MS));
        return publishBehind(ordered[index - 1]?.msgId, { msgId, work, ready });
      })
    : [];
  for (const [index, { msgId, work }] of ordered.entries()) {
    if (!(await tries[index])) await publishWork(connection, subject, work, { msgId });
    onStored(index);
  }

  /** Whether it is stored; of the first, which is behind none, it says so or rejects. */
  async function publishBehind(ahead: string | undefined, { msgId, work, ready }: Ready): Promise<boolean> {
    if (ahead === undefined) {
      await ready;
      await publishWork(connection, subject, work, { msgId });
      return true;
    }
    try {
      await ready;
      await publishWork(connection, subject, work, {
        msgId,
        headers: { [BEHIND_HEADER]: ahead },
        attempts: 1,
      });
      return true;
    } catch {
      // Whatever it failed for, the next try tells, when it is its turn.
      return false;
    }
  }
}

interface Ready {
  readonly msgId: string;
  readonly work: WorkBody;
  /** Settles once this one and those ahead can be sent. */
  readonly ready: Promise<unknown>;
}
