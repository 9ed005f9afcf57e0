import { type Msg } from '@nats-io/transport-node';
import { AdkError, errorOutcomes, type RpcReply } from '@skein/contracts';
import { LineLimit, type WorkIds, workIdsOf } from '@skein/platform';
import { type z } from 'zod';
import { messageHeaders } from '../connection/message-headers';
import { isDeliveredByStream } from '../connection/delivered-by-stream';
import { type MessagingConnection } from '../connection/messaging-connection';
import { type RpcRequest } from '../lanes/lane';
import { type EncodedMessage } from '../payload/message-codec';
import { answeringSpan } from '../trace/spans';
import { Slots } from './slots';

export interface RpcHandler<Schema extends z.ZodType> {
  /** Members of one queue share the requests; without one every server gets each. */
  readonly queue?: string;
  readonly schema: Schema;
  readonly handler: (body: z.output<Schema>, subject: string) => Promise<unknown>;
  /** How many requests run at once; four times as many wait in line, the others are refused. */
  readonly concurrency?: number;
  /** Refuses bodies by reference, unread: for who may be asked by anybody, and answers that cost nothing else. */
  readonly isInlineOnly?: boolean;
  /** Whoever asks can do nothing else meanwhile: no answer waits for others. */
  readonly isAwaited?: boolean;
}

export interface RpcServer {
  /** Takes no more requests; settles when those already here are answered. Harmless a second time. */
  close(): Promise<void>;
}

/** A request as it came, and whose work it is as soon as that was read. */
interface Request {
  readonly message: RpcRequest;
  ids: WorkIds;
}

const DEFAULT_CONCURRENCY = 256;
const LINE_PER_SLOT = 4;

/**
 * Answers requests on a subject. Every request gets an answer, also a malformed one and one whose handler threw:
 * silence would cost its sender the whole timeout, and tell nothing.
 */
export function serveRpc<Schema extends z.ZodType>(
  connection: MessagingConnection,
  subject: string,
  options: RpcHandler<Schema>,
): RpcServer {
  const { queue, schema, handler, concurrency = DEFAULT_CONCURRENCY } = options;
  const { isInlineOnly = false, isAwaited = false } = options;
  const slots = new Slots(concurrency);
  const inFlight = new Set<Promise<void>>();
  const mistakes = new LineLimit();

  /** Never rejects. */
  async function answer(message: RpcRequest): Promise<void> {
    const request: Request = { message, ids: {} };
    let reply: RpcReply;
    try {
      reply = { ok: true, value: (await answeringSpan(message, () => run(request))) ?? null };
    } catch (error) {
      reply = errorReply(error);
    }
    try {
      await send(message, reply);
    } catch (error) {
      tell(request, error);
      await send(message, errorReply(error)).catch((failure: unknown) =>
        connection.logger.error({ subject, err: failure }, 'no answer was sent'),
      );
    }
  }

  /** A failure is told of within the span, whose id the line has. */
  async function run(request: Request): Promise<unknown> {
    try {
      if (slots.waiting >= concurrency * LINE_PER_SLOT) {
        throw new AdkError('unavailable', 'rpc.overloaded', 'too many requests are waiting', {
          retryAfterMs: 1_000,
        });
      }
      return await slots.run(() => handle(request));
    } catch (error) {
      tell(request, error);
      throw error;
    }
  }

  async function handle(request: Request): Promise<unknown> {
    const { message } = request;
    if (isInlineOnly && !connection.codec.isInline(message)) {
      throw new AdkError('invalid', 'rpc.by-reference', `${subject} takes no body by reference`);
    }
    // Nearly every body is in its message; a promise for each, and whoever waits for it, cost as much as reading it.
    const body = connection.codec.isInline(message)
      ? connection.codec.decodeInline(message, schema)
      : await connection.codec.decode(message, schema);
    request.ids = workIdsOf(body);
    return handler(body, message.subject);
  }

  function tell({ message, ids }: Request, thrown: unknown): void {
    const error = AdkError.from(thrown);
    const { log: level, httpStatus } = errorOutcomes[error.kind];
    // What a client got wrong comes here by its gateway, and may come without end.
    const said = httpStatus < 500 ? mistakes.take(error.code) : {};
    if (said === undefined) return;
    const fields = { ...ids, subject: message.subject, code: error.code, ...said, err: error };
    connection.logger[level](fields, 'request failed');
  }

  function errorReply(thrown: unknown): RpcReply {
    return { ok: false, error: AdkError.from(thrown).toWire() };
  }

  async function send(message: RpcRequest, reply: RpcReply): Promise<void> {
    message.respond(await connection.codec.encode(reply), isAwaited);
  }

  function take(message: RpcRequest): void {
    const task: Promise<void> = answer(message).then(() => {
      inFlight.delete(task);
    });
    inFlight.add(task);
  }

  const subscription = connection.nats.subscribe(subject, {
    ...(queue === undefined ? {} : { queue }),
    callback: (error, message) => {
      if (error) {
        connection.logger.error({ subject, err: error }, 'requests cannot be received');
        return;
      }
      if (isDeliveredByStream(message)) {
        connection.logger.warn({ subject }, 'a request that a stream delivered is not answered');
        return;
      }
      take(new AskedOverNats(message));
    },
  });
  const leaveLanes = connection.lanes.serve(subject, take);

  return {
    async close() {
      leaveLanes();
      if (!subscription.isClosed() && connection.isConnected()) await subscription.drain();
      await Promise.all(inFlight);
    },
  };
}

/** Its headers are taken apart when they are asked for, as the client does. */
class AskedOverNats implements RpcRequest {
  constructor(private readonly message: Msg) {}

  get subject(): string {
    return this.message.subject;
  }

  get data(): Uint8Array {
    return this.message.data;
  }

  get headers(): Msg['headers'] {
    return this.message.headers;
  }

  respond({ data, headers }: EncodedMessage): void {
    this.message.respond(data, { headers: messageHeaders(headers) });
  }
}
