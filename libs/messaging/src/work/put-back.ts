import { type Logger } from '@skein/platform';
import { type WorkMessage } from './work-message';

/**
 * Settles a message that was not started and is for somebody else: done, once `giveBack` saw to it. A nak counts as a
 * delivery, and of some messages a delivery is taken for a start; it is what is left where nobody can see to it now.
 */
export async function putBack(
  message: WorkMessage,
  giveBack: (() => Promise<unknown>) | undefined,
  logger: Logger,
): Promise<void> {
  try {
    await giveBack?.();
  } catch (error) {
    logger.warn(
      { subject: message.raw.subject, err: error },
      'message handed back as a delivery that failed',
    );
    message.nak();
    return;
  }
  if (giveBack) message.ack();
  else message.nak();
}
