import { z } from 'zod';
import { handoverSchema } from './handover';
import { toolResultMessageSchema } from './tool-result';

/** `work.<runner>`: what session-svc has for one runner. */
export const workMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), handover: handoverSchema }),
  z.object({ kind: z.literal('result'), result: toolResultMessageSchema }),
]);
export type WorkMessage = z.infer<typeof workMessageSchema>;

/**
 * The runner's answer. run: `accepted` or `refused` (no credit, going away).
 * result: `applied` once its response event is stored, `held` when it waits for siblings (session-svc then stores the
 * result itself), `unknown` when this runner does not run the invocation.
 */
export const workReplySchema = z.object({
  disposition: z.enum(['accepted', 'refused', 'applied', 'held', 'unknown']),
});
export type WorkReply = z.infer<typeof workReplySchema>;
