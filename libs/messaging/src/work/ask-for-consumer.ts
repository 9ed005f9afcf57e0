import { jetstreamManager } from '@nats-io/jetstream';
import { millis } from '@nats-io/transport-node';
import { AdkError, openedQueueSchema, type QueueConsumer, queueRequest } from '@skein/contracts';
import { type MessagingConnection } from '../connection/messaging-connection';
import { RpcClient } from '../rpc/rpc-client';
import { ensureConsumer, type WorkQueue } from './ensure-consumer';

const TIMEOUT_MS = 5_000;

/**
 * Has session-svc make a consumer, or bring it up to date, and answers what it has: who makes one may have it deliver to any
 * subject, so that others may not. While no session-svc runs, one that is there will do.
 */
export async function askForConsumer(
  connection: MessagingConnection,
  queue: QueueConsumer & WorkQueue,
): Promise<Pick<WorkQueue, 'ackWaitMs'>> {
  const { ackWaitMs, maxDeliver } = queue;
  const wish = { ackWaitMs, maxDeliver };
  try {
    const rpc = new RpcClient(connection);
    const opened = await rpc.request(queueRequest(queue), openedQueueSchema, wish, { timeoutMs: TIMEOUT_MS });
    return opened ?? wish;
  } catch (error) {
    if (!AdkError.isInstance(error) || error.code !== 'rpc.no-responders') throw error;
    // On a server that lets everybody do everything, nobody need be waited for.
    if (!connection.mayProvision) return findConsumer(connection, queue);
    await ensureConsumer(connection, queue);
    return wish;
  }
}

async function findConsumer(
  connection: MessagingConnection,
  { stream, durable, ackWaitMs }: WorkQueue,
): Promise<Pick<WorkQueue, 'ackWaitMs'>> {
  const { consumers } = await jetstreamManager(connection.nats, { checkAPI: false });
  const { config } = await consumers.info(stream, durable);
  return { ackWaitMs: config.ack_wait === undefined ? ackWaitMs : millis(config.ack_wait) };
}
