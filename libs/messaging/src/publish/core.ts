import { type z } from 'zod';
import { messageHeaders } from '../connection/message-headers';
import { type MessagingConnection } from '../connection/messaging-connection';
import { traceHeaders } from '../trace/trace-carrier';

export interface CoreSubscription {
  /** No callback is made after it settles. */
  close(): Promise<void>;
}

/** Sends to whoever listens now. It may be lost; while NATS is away it is. */
export async function publishCore(
  connection: MessagingConnection,
  subject: string,
  body: unknown,
): Promise<void> {
  if (!connection.isConnected()) return;
  const { data, headers } = await connection.codec.encode(body);
  connection.nats.publish(subject, data, { headers: messageHeaders(headers, traceHeaders()) });
}

/**
 * Hands over what is sent to a subject, in the order it arrives, one after another. Call `flush` on the connection to
 * know that the server has the subscription. What does not fit is logged and left out.
 */
export function subscribeCore<Schema extends z.ZodType>(
  connection: MessagingConnection,
  subject: string,
  schema: Schema,
  handler: (body: z.output<Schema>, subject: string) => unknown,
): CoreSubscription {
  const subscription = connection.nats.subscribe(subject);
  const reading = (async () => {
    for await (const message of subscription) {
      try {
        await handler(await connection.codec.decode(message, schema), message.subject);
      } catch (error) {
        connection.logger.warn({ subject: message.subject, err: error }, 'message left out');
      }
    }
  })();
  return {
    close: async () => {
      subscription.unsubscribe();
      await reading;
    },
  };
}
