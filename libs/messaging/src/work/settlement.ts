import { type AdkError, errorOutcomes } from '@skein/contracts';
import { type Logger, type WorkIds } from '@skein/platform';
import { type MessagingMetrics } from '../connection/messaging-metrics';
import { type WorkMessage } from './work-message';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

export interface Settlement {
  readonly stream: string;
  readonly maxDeliver: number;
  /** Whose work the message is, as far as it could be read. */
  readonly ids: WorkIds;
  readonly logger: Logger;
  readonly metrics: MessagingMetrics;
}

/** With its reason, so that who hears of it finds what the message was about: the message itself is gone then. */
function idOf({ raw }: WorkMessage): string {
  return (raw.headers?.get('Nats-Msg-Id') ?? '').replaceAll(/\s/g, '_') || '-';
}

/** Tells the server how a failed message ends. The table of kinds decides; a message at its limit is given up. */
export function settleFailure(
  message: WorkMessage,
  error: AdkError,
  { stream, maxDeliver, ids, logger, metrics }: Settlement,
): void {
  const { settlement, log } = errorOutcomes[error.kind];
  const { subject } = message.raw;
  const { deliveryCount, streamSequence } = message.info;
  const fields = { ...ids, subject, streamSequence, deliveryCount, code: error.code, err: error };
  const die = (): void => {
    metrics.messages.increment({ stream, outcome: 'dead' });
    metrics.deadLetters.increment({ stream, code: error.code });
  };
  if (settlement === 'ack') {
    logger[log](fields, 'message is done with');
    metrics.messages.increment({ stream, outcome: 'done' });
    message.ack();
  } else if (settlement === 'term') {
    logger[log](fields, 'message refused for good');
    die();
    message.term(`${idOf(message)} ${error.code}: ${error.message}`);
  } else if (deliveryCount >= maxDeliver) {
    // The server would keep it for ever without delivering it again, and count it nowhere.
    logger.error(fields, 'message given up after its last delivery');
    die();
    message.term(`${idOf(message)} ${error.code} after ${deliveryCount} deliveries: ${error.message}`);
  } else {
    const delayMs = error.retryAfterMs ?? Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (deliveryCount - 1));
    logger[log]({ ...fields, delayMs }, 'message is tried again later');
    metrics.messages.increment({ stream, outcome: 'again' });
    message.nak(delayMs);
  }
}
