import { jetstreamManager } from '@nats-io/jetstream';
import { type StreamName } from '@skein/contracts';
import { type z } from 'zod';
import { type MessagingConnection } from '../connection/messaging-connection';

/**
 * The body of a message that JetStream gave up: it lies in its stream, and is delivered to nobody. Undefined when it is gone.
 * Rejects with `message.json` or `message.shape` for one that does not fit.
 */
export async function readGivenUp<Schema extends z.ZodType>(
  connection: MessagingConnection,
  { stream, sequence }: { readonly stream: StreamName; readonly sequence: number },
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const { streams } = await jetstreamManager(connection.nats, { checkAPI: false });
  const stored = await streams.getMessage(stream, { seq: sequence });
  if (!stored) return undefined;
  return connection.codec.decode({ data: stored.data, headers: stored.header }, schema);
}

/** Takes it out of its stream, where it would count as waiting for ever; harmless when it is gone. */
export async function dropGivenUp(
  connection: MessagingConnection,
  { stream, sequence }: { readonly stream: StreamName; readonly sequence: number },
): Promise<void> {
  const { streams } = await jetstreamManager(connection.nats, { checkAPI: false });
  // Without overwriting its bytes: it is no secret, and that is slow.
  if (await streams.getMessage(stream, { seq: sequence }))
    await streams.deleteMessage(stream, sequence, false);
}
