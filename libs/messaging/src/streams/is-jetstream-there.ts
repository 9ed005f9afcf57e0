import { jetstreamManager } from '@nats-io/jetstream';
import { type MessagingConnection } from '../connection/messaging-connection';
import { isStreamMissing } from './is-stream-missing';

const ASK_MS = 1_000;

/** Whether JetStream answers; NATS itself may be up without it, as when its disk is full. */
export async function isJetStreamThere(connection: MessagingConnection): Promise<boolean> {
  if (!connection.isConnected()) return false;
  const { streams } = await jetstreamManager(connection.nats, { checkAPI: false, timeout: ASK_MS });
  try {
    await streams.info('TOOLS');
    return true;
  } catch (error) {
    // Whoever needs it first makes it: a process that is not ready for want of it would never be.
    return isStreamMissing(error);
  }
}
