import { z } from 'zod';
import { wireErrorSchema } from './adk-error';

/** Every answer over request-reply: a value, or an error with its kind. Silence is never an answer. */
export const rpcReplySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: wireErrorSchema }),
]);
export type RpcReply = z.infer<typeof rpcReplySchema>;
