import { AckPolicy, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type StreamName } from '@skein/contracts';
import { type MessagingConnection } from '../connection/messaging-connection';
import { isStreamMissing } from '../streams/is-stream-missing';
import { ensureStreams } from '../streams/provision-streams';

export interface WorkQueue {
  readonly stream: StreamName;
  /** Name of the consumer all workers of this queue share. */
  readonly durable: string;
  /** Of a work queue, the filters of two consumers must not overlap. */
  readonly filterSubject: string;
  /** A message not settled, and without a heartbeat, for so long is given to somebody else. */
  readonly ackWaitMs: number;
  /** After so many deliveries the server gives a message up, and ADVISORIES tells of it. */
  readonly maxDeliver: number;
}

const CONSUMER_EXISTS = 10_148;

/** Creates the shared consumer, or brings it up to this configuration; its stream too, if that vanished. */
export async function ensureConsumer(connection: MessagingConnection, queue: WorkQueue): Promise<void> {
  try {
    await createOrUpdate(connection, queue);
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
    await ensureStreams(connection);
    await createOrUpdate(connection, queue);
  }
}

async function createOrUpdate(connection: MessagingConnection, queue: WorkQueue): Promise<void> {
  const { consumers } = await jetstreamManager(connection.nats, { checkAPI: false });
  const changeable = {
    ack_wait: nanos(queue.ackWaitMs),
    max_deliver: queue.maxDeliver,
    filter_subject: queue.filterSubject,
    // Workers bound themselves; a bound here would be one for all of them together.
    max_ack_pending: 100_000,
  };
  const fixed = { durable_name: queue.durable, ack_policy: AckPolicy.Explicit, max_waiting: 4_096 };
  try {
    await consumers.add(queue.stream, { ...fixed, ...changeable });
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== CONSUMER_EXISTS) throw error;
    await consumers.update(queue.stream, queue.durable, changeable);
  }
}
