import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { type MessagingConnection } from '../connection/messaging-connection';
import { isStreamMissing } from './is-stream-missing';

const ASK_MS = 1_000;
const NO_JETSTREAM_OF_ITS_OWN = JetStreamApiCodes.JetStreamNotEnabledForAccount;

/** Whether JetStream answers; NATS itself may be up without it, as when its disk is full. */
export async function isJetStreamThere(connection: MessagingConnection): Promise<boolean> {
  if (!connection.isConnected()) return false;
  const { streams } = await jetstreamManager(connection.nats, { checkAPI: false, timeout: ASK_MS });
  try {
    await streams.info('TOOLS');
    return true;
  } catch (error) {
    // JetStream answered: that the account of a worker, which may only take calls, has none of its own.
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof JetStreamApiError && cause.code === NO_JETSTREAM_OF_ITS_OWN) return true;
    // Whoever needs it first makes it: a process that is not ready for want of it would never be.
    return isStreamMissing(error);
  }
}
