import { errors } from '@nats-io/transport-node';
import { AdkError, parseChecked, type RpcReply, rpcReplySchema } from '@skein/contracts';
import type { z } from 'zod';
import { messageHeaders } from '../connection/message-headers';
import { type MessagingConnection } from '../connection/messaging-connection';
import { isNotPermitted, notPermitted } from '../connection/not-permitted';
import { type Lane, type SentOverLane } from '../lanes/lane';
import { type EncodedMessage, type ReceivedMessage } from '../payload/message-codec';
import { WorkBody } from '../publish/work-body';
import { type ReadSockets } from '../reads/read-sockets';
import { sendingSpan } from '../trace/spans';
import { traceHeaders } from '../trace/trace-carrier';

const MAY_HAVE_ARRIVED = new Set(['rpc.timeout', 'rpc.failed']);
/** Failures of the way, not of who was asked. */
const WAY_FAILED = new Set(['nats.away', 'rpc.no-responders', ...MAY_HAVE_ARRIVED]);

/** Whether somebody may have carried out the request that failed so; after any other error nobody has it, or refused it. */
export function mayHaveArrived(error: unknown): boolean {
  return AdkError.isInstance(error) && MAY_HAVE_ARRIVED.has(error.code);
}

export interface RequestOptions {
  readonly timeoutMs: number;
  /** Ends the wait; the other side goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Goes on the connection to NATS, behind what was sent there, subscriptions included: by a lane it might come before that. */
  readonly behindSent?: boolean;
}

export interface RpcClientOptions {
  /** A request that finds NATS away for longer than this is refused at once; without it, each waits its own timeout. */
  readonly patienceMs?: number;
  /** Where reads are answered that NATS cannot carry. */
  readonly reads?: ReadSockets;
}

/** Asks a service, over a lane to it where there is one, else over core NATS. Nobody knows whether a request that ran into its deadline was carried out. */
export class RpcClient {
  constructor(
    private readonly connection: MessagingConnection,
    private readonly options: RpcClientOptions = {},
  ) {}

  /**
   * The answer as the schema gives it. A body that was made ready before is given as a `WorkBody`. Rejects with the error the service answered, `rpc.no-responders`,
   * `rpc.timeout`, `rpc.failed`, `rpc.cancelled`, `rpc.reply-shape`, `nats.not-permitted`, or `nats.away`.
   */
  async request<Schema extends z.ZodType>(
    subject: string,
    replySchema: Schema,
    body: unknown,
    options: RequestOptions,
  ): Promise<z.output<Schema>> {
    const startedAtMs = performance.now();
    let outcome = 'ok';
    try {
      return await sendingSpan('request', subject, () => this.#ask(subject, replySchema, body, options));
    } catch (error) {
      outcome = AdkError.from(error).kind;
      throw error;
    } finally {
      const labels = { subject: verbOf(subject), outcome };
      this.connection.metrics.requestSeconds.observe((performance.now() - startedAtMs) / 1_000, labels);
    }
  }

  async #ask<Schema extends z.ZodType>(
    subject: string,
    replySchema: Schema,
    body: unknown,
    options: RequestOptions,
  ): Promise<z.output<Schema>> {
    const answer = await this.#answer(subject, body, options);
    if (!answer.ok) throw AdkError.fromWire(answer.error);
    const parsed = parseChecked(replySchema, answer.value);
    if (parsed.success) return parsed.data;
    throw new AdkError('internal', 'rpc.reply-shape', `the answer of ${subject} does not fit`, {
      cause: parsed.error,
    });
  }

  async #answer(subject: string, body: unknown, options: RequestOptions): Promise<RpcReply> {
    try {
      const { codec } = this.connection;
      const message = await this.#send(subject, body, options);
      return codec.isInline(message)
        ? codec.decodeInline(message, rpcReplySchema)
        : await codec.decode(message, rpcReplySchema);
    } catch (error) {
      const { reads } = this.options;
      const hasWayFailed = AdkError.isInstance(error) && WAY_FAILED.has(error.code);
      if (!hasWayFailed || reads?.serves(subject) !== true) throw error;
      return reads.ask(subject, body, options.timeoutMs);
    }
  }

  /** What has another way need not wait for this one. */
  #patienceMs(subject: string, timeoutMs: number): number {
    const { patienceMs, reads } = this.options;
    if (reads?.serves(subject) === true) return 0;
    if (patienceMs === undefined) return timeoutMs;
    return Math.min(timeoutMs, Math.max(0, patienceMs - this.connection.awayMs));
  }

  async #send(subject: string, body: unknown, options: RequestOptions): Promise<ReceivedMessage> {
    const { timeoutMs, signal, behindSent = false } = options;
    if (signal?.aborted) throw cancelled(subject);
    const { connection } = this;
    // First, for what is encoded may be a file of the payload store, which nobody reads if nothing is sent.
    if (!connection.isConnected()) await connection.whenConnected(this.#patienceMs(subject, timeoutMs));
    const { data, headers } = await encodedOf(connection, body, timeoutMs);
    try {
      const sent = { data, timeoutMs, headers: { ...headers, ...traceHeaders() } };
      const lane = behindSent ? undefined : connection.lanes.laneTo(subject);
      const answer = lane ? this.#byLane(lane, subject, sent) : this.#overNats(subject, sent);
      return await (signal ? untilAborted(answer, signal, subject) : answer);
    } catch (error) {
      throw AdkError.isInstance(error) ? error : requestError(subject, timeoutMs, error);
    }
  }

  /** Over NATS all the same, where it came to one that is leaving. */
  async #byLane(lane: Lane, subject: string, sent: SentOverLane): Promise<ReceivedMessage> {
    return (await lane.request(subject, sent)) ?? this.#overNats(subject, sent);
  }

  #overNats(subject: string, { headers, ...sent }: SentOverLane): Promise<ReceivedMessage> {
    return this.connection.requests.request(subject, { ...sent, headers: messageHeaders(headers) });
  }
}

function encodedOf(
  { codec }: MessagingConnection,
  body: unknown,
  timeoutMs: number,
): EncodedMessage | Promise<EncodedMessage> {
  return body instanceof WorkBody ? (body.ready ?? body.encoded(timeoutMs)) : codec.encode(body);
}

/** Verbs have names of their own; elsewhere what follows the first token is an id. */
function verbOf(subject: string): string {
  return subject.startsWith('rpc.') ? subject : (subject.split('.', 1)[0] ?? subject);
}

async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal, subject: string): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(cancelled(subject));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function cancelled(subject: string): AdkError {
  return new AdkError('cancelled', 'rpc.cancelled', `the request to ${subject} was given up`);
}

function requestError(subject: string, timeoutMs: number, cause: unknown): AdkError {
  if (isNotPermitted(cause)) return notPermitted(subject, cause);
  if (cause instanceof errors.RequestError && cause.isNoResponders()) {
    return new AdkError('unavailable', 'rpc.no-responders', `nobody answers ${subject}`, { cause });
  }
  if (cause instanceof errors.TimeoutError) {
    return new AdkError('deadline', 'rpc.timeout', `${subject} did not answer within ${timeoutMs} ms`, {
      cause,
    });
  }
  return new AdkError('unavailable', 'rpc.failed', `the request to ${subject} could not be sent`, { cause });
}
