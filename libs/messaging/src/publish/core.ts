import { type Msg } from '@nats-io/transport-node';
import { type z } from 'zod';
import { messageHeaders } from '../connection/message-headers';
import { isDeliveredByStream } from '../connection/delivered-by-stream';
import { type MessagingConnection } from '../connection/messaging-connection';
import { hearingSpan } from '../trace/spans';
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

/** One subject of several that are heard together. */
export interface HeardSubject {
  readonly subject: string;
  /** Called with each message, one after another; `sizeBytes` is that of its body as it was sent. */
  readonly receive: (message: UndecodedMessage) => unknown;
  /** Whether each message is a span: what comes by the chunk would be too many. */
  readonly isTraced?: boolean;
}

export interface UndecodedMessage {
  readonly sizeBytes: number;
  /** Whether its body came with it; one by reference is read when it is decoded, however large it is. */
  readonly isInline: boolean;
  readonly decode: <Schema extends z.ZodType>(schema: Schema) => Promise<z.output<Schema>>;
}

/** As `subscribeCore`, for several subjects: what is sent to one is never handed over before what came earlier to another. */
export function subscribeTogether(
  connection: MessagingConnection,
  subjects: readonly HeardSubject[],
): CoreSubscription {
  const { codec, logger, nats } = connection;
  let isClosed = false;
  let turn = Promise.resolve();
  const handle = async (
    message: Msg,
    { receive, isTraced }: Omit<HeardSubject, 'subject'>,
  ): Promise<void> => {
    if (isClosed || isDeliveredByStream(message)) return;
    try {
      const sizeBytes = codec.sizeOf(message);
      const isInline = codec.isInline(message);
      const hear = async (): Promise<unknown> =>
        receive({ sizeBytes, isInline, decode: (schema) => codec.decode(message, schema) });
      await (isTraced === true ? hearingSpan(message, hear) : hear());
    } catch (error) {
      leaveOut(connection, message, error);
    }
  };
  const subscriptions = subjects.map(({ subject, ...heard }) =>
    nats.subscribe(subject, {
      callback: (error, message) => {
        if (error) logger.warn({ subject, err: error }, 'messages cannot be received');
        else turn = turn.then(() => handle(message, heard));
      },
    }),
  );
  return {
    close: async () => {
      isClosed = true;
      for (const subscription of subscriptions) subscription.unsubscribe();
      await turn;
    },
  };
}

/**
 * Hands over what is sent to a subject, in the order it arrives, one after another. Call `flush` on the connection to
 * know that the server has the subscription. What does not fit is logged, counted and left out.
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
      if (isDeliveredByStream(message)) continue;
      try {
        const body = await connection.codec.decode(message, schema);
        await handler(body, message.subject);
      } catch (error) {
        leaveOut(connection, message, error);
      }
    }
  })().catch((error: unknown) =>
    connection.logger.error({ subject, err: error }, 'messages cannot be received'),
  );
  return {
    close: async () => {
      subscription.unsubscribe();
      await reading;
    },
  };
}

function leaveOut({ logger, metrics }: MessagingConnection, { subject }: Msg, error: unknown): void {
  metrics.leftOut.increment();
  logger.warn({ subject, err: error }, 'message left out');
}
