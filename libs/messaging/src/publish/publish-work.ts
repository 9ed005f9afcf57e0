import { setTimeout as delay } from 'node:timers/promises';
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors, type MsgHdrs } from '@nats-io/transport-node';
import { type Link } from '@opentelemetry/api';
import { AdkError } from '@skein/contracts';
import { workIdsOf } from '@skein/platform';
import { messageHeaders } from '../connection/message-headers';
import { type MessagingConnection } from '../connection/messaging-connection';
import { isNotPermitted, notPermitted } from '../connection/not-permitted';
import { type EncodedMessage } from '../payload/message-codec';
import { ensureStreams } from '../streams/provision-streams';
import { sendingSpan } from '../trace/spans';
import { publishStored } from './publish-stored';
import { currentTraceparent, ORIGIN_HEADER, traceHeaders } from '../trace/trace-carrier';
import { toWorkBody } from './work-body';

export interface PublishWork {
  /** A message of the same id within two minutes is stored once. */
  readonly msgId: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Spans this message is sent on behalf of, beside the one that sends it. */
  readonly links?: Link[];
  /** How often it is sent before that has failed, 4 times without it. */
  readonly attempts?: number;
}

export interface Published {
  /** The stream had a message of this id already. */
  readonly isDuplicate: boolean;
}

const ATTEMPTS = 4;
const ACK_TIMEOUT_MS = 5_000;
const STORE_IS_FULL = [10_077, 10_047, 10_023];

/**
 * Puts a message into its stream; the stream has stored it when this settles. A lost PubAck is answered by sending
 * again under the same id. A body that may be sent again is given as a `WorkBody`. Rejects with `unavailable` or
 * `deadline`, and then it may be stored or not; or with `nats.not-permitted`.
 */
export async function publishWork(
  connection: MessagingConnection,
  subject: string,
  body: unknown,
  { msgId, headers, links, attempts = ATTEMPTS }: PublishWork,
): Promise<Published> {
  const origin = currentTraceparent();
  const work = toWorkBody(connection, body);
  const send = async (): Promise<Published> => {
    const encoded = work.ready ?? (await work.encoded(attempts * ACK_TIMEOUT_MS));
    const message = {
      data: encoded.data,
      timeoutMs: ACK_TIMEOUT_MS,
      headers: headersOf(encoded, { msgId, headers }, origin),
    };
    for (let attempt = 1; ; attempt++) {
      try {
        if (!connection.isConnected()) await connection.whenConnected(ACK_TIMEOUT_MS);
        return await publishStored(connection, subject, message);
      } catch (error) {
        const failure = publishError(subject, error);
        if (attempt >= attempts || isFinal(failure)) throw failure;
        connection.logger.warn(
          { ...workIdsOf(work.content), subject, msgId, attempt, code: failure.code },
          'publishing again',
        );
        if (failure.code === 'messaging.no-stream' && connection.mayProvision)
          await restoreStreams(connection);
        await delay(100 * 2 ** attempt * (0.5 + Math.random()));
      }
    }
  };
  return sendingSpan('publish', subject, send, links);
}

interface SentWork extends Pick<PublishWork, 'msgId' | 'headers'> {
  /** Whether the stream is to say that it stored it; else nobody says so. */
  readonly isAnswered: boolean;
}

/**
 * Sends a message to its stream in this very moment, once. Where it is answered, rejects with the client's own error unless the
 * stream has stored it; else nobody learns.
 */
export function sendOnce(
  connection: MessagingConnection,
  subject: string,
  encoded: EncodedMessage,
  { isAnswered, ...options }: SentWork,
): Promise<void> {
  const origin = currentTraceparent();
  const send = async (): Promise<void> => {
    const headers = headersOf(encoded, options, origin);
    const { data } = encoded;
    if (isAnswered) await publishStored(connection, subject, { data, headers, timeoutMs: ACK_TIMEOUT_MS });
    else connection.nats.publish(subject, data, { headers });
  };
  return sendingSpan('publish', subject, send);
}

function headersOf(
  encoded: EncodedMessage,
  { msgId, headers }: Pick<PublishWork, 'msgId' | 'headers'>,
  origin: string | undefined,
): MsgHdrs | undefined {
  return messageHeaders(
    headers,
    encoded.headers,
    traceHeaders(),
    origin === undefined ? undefined : { [ORIGIN_HEADER]: origin },
    { 'Nats-Msg-Id': msgId },
  );
}

function isFinal({ code }: AdkError): boolean {
  return code === 'messaging.stream-full' || code === 'nats.not-permitted';
}

/** The server may have lost its disk; a stream made anew takes the message. */
async function restoreStreams(connection: MessagingConnection): Promise<void> {
  try {
    await ensureStreams(connection);
  } catch (error) {
    connection.logger.warn({ err: error }, 'streams cannot be created yet');
  }
}

function publishError(subject: string, cause: unknown): AdkError {
  if (AdkError.isInstance(cause)) return cause;
  if (isNotPermitted(cause)) return notPermitted(subject, cause);
  if (cause instanceof errors.TimeoutError) {
    return new AdkError('deadline', 'messaging.no-ack', `nothing stored ${subject} in time`, { cause });
  }
  if (cause instanceof errors.RequestError && cause.isNoResponders()) {
    return new AdkError('unavailable', 'messaging.no-stream', `no stream takes ${subject}`, { cause });
  }
  if (cause instanceof JetStreamApiError && STORE_IS_FULL.includes(cause.code)) {
    return new AdkError('unavailable', 'messaging.stream-full', `the stream of ${subject} is full`, {
      cause,
      retryAfterMs: 5_000,
    });
  }
  return new AdkError('unavailable', 'messaging.publish', `${subject} could not be published`, { cause });
}
