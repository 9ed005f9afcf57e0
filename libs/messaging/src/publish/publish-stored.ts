import { JetStreamApiError } from '@nats-io/jetstream';
import { type MsgHdrs } from '@nats-io/transport-node';
import { AdkError, parseChecked } from '@skein/contracts';
import { z } from 'zod';
import { type MessagingConnection } from '../connection/messaging-connection';

interface ToBeStored {
  readonly data: Uint8Array;
  readonly headers: MsgHdrs | undefined;
  readonly timeoutMs: number;
}

/** The server's own form, which says more than is read here. */
const answerSchema = z.looseObject({
  stream: z.string().optional(),
  duplicate: z.boolean().optional(),
  error: z.looseObject({ code: z.number(), err_code: z.number(), description: z.string() }).optional(),
});

/** Sends a message, and settles with whether its stream had it already once that has stored it. Rejects as `Requests` does. */
export async function publishStored(
  { requests }: MessagingConnection,
  subject: string,
  message: ToBeStored,
): Promise<{ readonly isDuplicate: boolean }> {
  const answer = await requests.request(subject, message);
  const read = parseChecked(answerSchema, answer.json());
  if (!read.success) throw read.error;
  const { stream, duplicate = false, error } = read.data;
  if (error) throw new JetStreamApiError(error);
  // Somebody else listens on the subject, and answered.
  if (stream === undefined)
    throw new AdkError('unavailable', 'messaging.publish', `no stream took ${subject}`);
  return { isDuplicate: duplicate };
}
