import { type MessagingConnection } from '../connection/messaging-connection';
import { type EncodedMessage } from '../payload/message-codec';
import { publishWork, sendOnce } from './publish-work';
import { toWorkBody, type WorkBody } from './work-body';

export interface OrderedMessage {
  /** As that of `PublishWork`. */
  readonly msgId: string;
  /** As that of `publishWork`. */
  readonly body: unknown;
}

interface OrderedWork {
  readonly msgId: string;
  readonly work: WorkBody;
}

/** The server refuses a message unless the last one its stream has stored is of this id. */
const BEHIND_HEADER = 'Nats-Expected-Last-Msg-Id';
/** As long as `publishWork` would wait for NATS before it sends the first of them. */
const PATIENCE_MS = 20_000;

/**
 * Puts messages into their stream, none before those ahead of it, and tells of each once the stream has it. They leave together,
 * and the stream answers for the last of them alone: it takes each only right behind the one ahead. Where it did not take the last,
 * all are sent again one after another; what it has already, it does not store twice. Rejects as `publishWork`; of what is
 * behind none is stored then.
 */
export async function publishInOrder(
  connection: MessagingConnection,
  subject: string,
  messages: readonly OrderedMessage[],
  onStored: (index: number) => void,
): Promise<void> {
  const ordered = messages.map(({ msgId, body }) => ({ msgId, work: toWorkBody(connection, body) }));
  const areStored =
    mayLeaveTogether(connection, ordered) && (await leaveTogether(connection, subject, ordered));
  for (const [index, { msgId, work }] of ordered.entries()) {
    if (!areStored) await publishWork(connection, subject, work, { msgId });
    onStored(index);
  }
}

/**
 * Of a cluster that refused one so, a stream of several replicas was seen to answer no more: there one waits for the other. So it
 * does while NATS is away, for which they wait once then.
 */
function mayLeaveTogether(connection: MessagingConnection, ordered: readonly OrderedWork[]): boolean {
  return ordered.length > 1 && connection.nats.info?.cluster === undefined && connection.isConnected();
}

/** Whether the stream has all of them. Whatever it failed for, who sends them one after another is told. */
async function leaveTogether(
  connection: MessagingConnection,
  subject: string,
  ordered: readonly OrderedWork[],
): Promise<boolean> {
  try {
    const encoded: { readonly msgId: string; readonly body: EncodedMessage }[] = [];
    for (const { msgId, work } of ordered)
      encoded.push({ msgId, body: work.ready ?? (await work.encoded(PATIENCE_MS)) });
    if (!connection.isConnected()) return false;
    // In one go: what else of this process came between two of them would be what the stream has last.
    const sent = encoded.map(({ msgId, body }, index) => {
      const ahead = encoded[index - 1]?.msgId;
      const headers = ahead === undefined ? undefined : { [BEHIND_HEADER]: ahead };
      return sendOnce(connection, subject, body, {
        msgId,
        headers,
        isAnswered: index === encoded.length - 1,
      });
    });
    await Promise.all(sent);
    return true;
  } catch {
    return false;
  }
}
