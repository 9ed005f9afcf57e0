import { jetstreamManager } from '@nats-io/jetstream';
import { AdkError, type StreamName, streams as subjectsOf } from '@skein/contracts';
import { type z } from 'zod';
import { type MessagingConnection } from '../connection/messaging-connection';

/** A message where it lies, whoever has it; `body` is undefined where no version of ours wrote it, or it is away for now. */
interface LyingMessage<Body> {
  readonly sequence: number;
  readonly body: Body | undefined;
  /** Why the body cannot be read now; it may be later. */
  readonly failure?: AdkError;
}

interface WalkStream<Schema extends z.ZodType> {
  readonly stream: StreamName;
  /** The sequence to begin at. */
  readonly from: number;
  /** Messages read at most. */
  readonly limit: number;
  readonly schema: Schema;
}

/** Reads the messages of a stream one after another, without taking them from anybody. Rejects when JetStream is away. */
export async function* walkStream<Schema extends z.ZodType>(
  connection: MessagingConnection,
  { stream, from, limit, schema }: WalkStream<Schema>,
): AsyncGenerator<LyingMessage<z.output<Schema>>, void> {
  const { streams } = await jetstreamManager(connection.nats, { checkAPI: false });
  let sequence = from;
  for (let count = 0; count < limit; count++) {
    // In a variable, because the client's type leaves out what the server can do.
    const next = { seq: sequence, next_by_subj: subjectsOf[stream][0] };
    const stored = await streams.getMessage(stream, next);
    if (!stored) return;
    sequence = stored.seq + 1;
    const message = { data: stored.data, headers: stored.header };
    const read = connection.codec.decode(message, schema).then((body) => ({ body }), unreadable);
    yield { sequence: stored.seq, ...(await read) };
  }
}

/** How many messages of a work queue no consumer has waiting or in somebody's hands: JetStream gave them up. */
export async function countLying(connection: MessagingConnection, stream: StreamName): Promise<number> {
  const { streams, consumers } = await jetstreamManager(connection.nats, { checkAPI: false });
  const { state } = await streams.info(stream);
  if (state.messages === 0) return 0;
  let held = 0;
  for await (const { num_pending: waiting, num_ack_pending: begun } of consumers.list(stream))
    held += waiting + begun;
  return Math.max(0, state.messages - held);
}

/** One whose payload is away may be read later, and those behind it now. */
function unreadable(error: unknown): { readonly body: undefined; readonly failure?: AdkError } {
  const failure = AdkError.from(error);
  const isForGood = failure.kind === 'invalid' || failure.code === 'payload.missing';
  return isForGood ? { body: undefined } : { body: undefined, failure };
}
