import { jetstreamManager } from '@nats-io/jetstream';
import { AdkError, type QueueConsumer, queueRequest } from '@skein/contracts';
import { z } from 'zod';
import { type MessagingConnection } from '../connection/messaging-connection';
import { RpcClient } from '../rpc/rpc-client';
import { ensureConsumer, type WorkQueue } from './ensure-consumer';

const TIMEOUT_MS = 5_000;

/**
 * Has session-svc make a consumer, or bring it up to date: who makes one may have it deliver to any subject, so that
 * others may not. While no session-svc runs, one that is there will do.
 */
export async function askForConsumer(
  connection: MessagingConnection,
  queue: QueueConsumer & WorkQueue,
): Promise<void> {
  const { ackWaitMs, maxDeliver } = queue;
  try {
    const rpc = new RpcClient(connection);
    await rpc.request(queueRequest(queue), z.unknown(), { ackWaitMs, maxDeliver }, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (!AdkError.isInstance(error) || error.code !== 'rpc.no-responders') throw error;
    // On a server that lets everybody do everything, nobody need be waited for.
    if (connection.mayProvision) await ensureConsumer(connection, queue);
    else await findConsumer(connection, queue);
  }
}

async function findConsumer(connection: MessagingConnection, { stream, durable }: WorkQueue): Promise<void> {
  const { consumers } = await jetstreamManager(connection.nats, { checkAPI: false });
  await consumers.info(stream, durable);
}
