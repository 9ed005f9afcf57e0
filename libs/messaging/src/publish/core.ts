import { type Msg } from '@nats-io/transport-node';
import { type z } from 'zod';
import { messageHeaders } from '../connection/message-headers';
import { isDeliveredByStream } from '../connection/delivered-by-stream';
import { type MessagingConnection } from '../connection/messaging-connection';
import { hearingSpan } from '../trace/spans';
import { traceHeaders, traceparentOf } from '../trace/trace-carrier';

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
 * As `publishCore`, at once; answers false, and sends nothing, for a body that is too large for that. For what is sent by the
 * thousand, where a promise for each costs more than the sending.
 */
export function publishInline(connection: MessagingConnection, subject: string, body: unknown): boolean {
  if (!connection.isConnected()) return true;
  const data = connection.codec.encodeInline(body);
  if (!data) return false;
  connection.nats.publish(subject, data, { headers: messageHeaders(traceHeaders()) });
  return true;
}

/** One subject of several that are heard together. */
export interface HeardSubject {
  readonly subject: string;
  /**
   * Called with each message, one after another: the next waits for the promise it answers, if it answers one.
   * `sizeBytes` is that of its body as it was sent.
   */
  readonly receive: (message: UndecodedMessage) => unknown;
  /** Whether each message is a span: what comes by the chunk would be too many. */
  readonly isTraced?: boolean;
}

interface UndecodedMessage {
  readonly sizeBytes: number;
  /** The body itself where it came with the message, and a promise of it where it has to be read. */
  readonly decode: <Schema extends z.ZodType>(schema: Schema) => z.output<Schema> | Promise<z.output<Schema>>;
}

export interface TogetherSubscription extends CoreSubscription {
  /** Whether the server does not permit one of its subjects, on which nothing is ever heard then. */
  isRefused(): boolean;
}

/** As `subscribeCore`, for several subjects: what is sent to one is never handed over before what came earlier to another. */
export function subscribeTogether(
  connection: MessagingConnection,
  subjects: readonly HeardSubject[],
): TogetherSubscription {
  const { logger, nats } = connection;
  let isClosed = false;
  let isRefused = false;
  const inTurn = new Turns();
  const handle = (message: Msg, heard: HeardSubject): Promise<void> | undefined => {
    if (isClosed || isDeliveredByStream(message)) return undefined;
    try {
      const handed = handOver(connection, message, heard);
      if (!(handed instanceof Promise)) return undefined;
      return handed.catch((error: unknown) => leaveOut(connection, message, error));
    } catch (error) {
      leaveOut(connection, message, error);
      return undefined;
    }
  };
  const subscriptions = subjects.map((heard) =>
    nats.subscribe(heard.subject, {
      callback: (error, message) => {
        if (!error) {
          inTurn.take(() => handle(message, heard));
          return;
        }
        isRefused = true;
        logger.warn({ subject: heard.subject, err: error }, 'messages cannot be received');
      },
    }),
  );
  return {
    isRefused: () => isRefused,
    close: async () => {
      isClosed = true;
      for (const subscription of subscriptions) subscription.unsubscribe();
      await inTurn.done();
    },
  };
}

function handOver(
  { codec }: MessagingConnection,
  message: Msg,
  { receive, isTraced = false }: HeardSubject,
): unknown {
  const isInline = codec.isInline(message);
  const heard: UndecodedMessage = {
    sizeBytes: codec.sizeOf(message),
    decode: (schema) => (isInline ? codec.decodeInline(message, schema) : codec.decode(message, schema)),
  };
  // Where it comes from no trace, a span's promise would have the next message wait.
  if (!isTraced || !traceparentOf(message)) return receive(heard);
  return hearingSpan(message, async () => receive(heard));
}

/** One after another, and each at once while none before it has to be waited for. */
class Turns {
  #last: Promise<void> | undefined;

  take(turn: () => Promise<void> | undefined): void {
    const taken = this.#last ? this.#last.then(turn) : turn();
    if (!taken) return;
    const last = taken.then(() => {
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
  }

  async done(): Promise<void> {
    await this.#last;
  }
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
