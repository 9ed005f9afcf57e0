import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { type MessagingConnection } from '../connection/messaging-connection';
import { STARTED_HEADER, type WorkMessage } from './work-message';

const MSG_ID = 'Nats-Msg-Id';
const ACK_TIMEOUT_MS = 2_000;

/**
 * Gives a message that was not started to somebody else as if it had not come here. A nak would count as a delivery, and
 * a delivery is taken for a start: what has one attempt only would not run at all. The copy says how many there were
 * before. Where that cannot be done now it is handed back with a nak.
 */
export async function putBack(connection: MessagingConnection, message: WorkMessage): Promise<void> {
  const { raw, info } = message;
  if (!connection.isConnected()) {
    message.nak();
    return;
  }
  const copied = headers();
  for (const key of raw.headers?.keys() ?? []) {
    for (const value of raw.headers?.values(key) ?? []) copied.append(key, value);
  }
  copied.set(STARTED_HEADER, String(info.startedBefore));
  // Under its own id the stream would drop it as a repeat of what is still there.
  copied.set(MSG_ID, `${raw.headers?.get(MSG_ID) ?? raw.subject}.unstarted.${info.streamSequence}`);
  try {
    await jetstream(connection.nats).publish(raw.subject, raw.data, {
      headers: copied,
      timeout: ACK_TIMEOUT_MS,
    });
    message.ack();
  } catch (error) {
    connection.logger.warn(
      { subject: raw.subject, err: error },
      'message handed back as a delivery that failed',
    );
    message.nak();
  }
}
