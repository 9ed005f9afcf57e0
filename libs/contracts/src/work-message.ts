import { z } from 'zod';
import { handoverSchema } from './handover';
import { invocationIdSchema } from './ids';
import { callProgressSchema } from './tool-progress';
import { toolResultMessageSchema } from './tool-result';

/**
 * `work.<runner>`: what session-svc has for one runner. `guess`: a hand-over as it will be where the session is as session-svc
 * takes it to be; its claim is on its way to the database. `withdrawn`: there is no such claim. `written`: somebody else wrote to
 * the session it runs; a runner that does not hear of it sees it in the answer to its next append. `cancel`: the same of a cancel.
 * `progress`: what a worker tells of a call that it runs; it may be lost.
 */
export const workMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), handover: handoverSchema }),
  z.object({ kind: z.literal('guess'), handover: handoverSchema }),
  z.object({
    kind: z.literal('withdrawn'),
    invocationId: invocationIdSchema,
    epoch: z.number().int().positive(),
  }),
  z.object({ kind: z.literal('result'), result: toolResultMessageSchema }),
  z.object({
    kind: z.literal('written'),
    invocationId: invocationIdSchema,
    epoch: z.number().int().positive(),
    lastSeq: z.number().int().positive(),
  }),
  z.object({ kind: z.literal('progress'), progress: callProgressSchema }),
  z.object({
    kind: z.literal('cancel'),
    invocationId: invocationIdSchema,
    epoch: z.number().int().positive(),
  }),
]);
export type WorkMessage = z.infer<typeof workMessageSchema>;

/**
 * The runner's answer. run: `accepted` or `refused` (no credit, going away).
 * guess: the same, or `unknown` where this runner does not hold the session's log as the guess has it; then it began nothing.
 * withdrawn: `accepted` once that run has ended, or `unknown`.
 * result: `applied` once its response event is stored, `held` when it waits for siblings (session-svc then stores the
 * result itself), `unknown` when this runner does not run the invocation.
 * progress: `applied` when this runner waits for the call, or `unknown`.
 * written: `applied` once the run's next step sees it, or `unknown`. cancel: `accepted` once the run is being ended, or
 * `unknown`.
 */
export const workReplySchema = z.object({
  disposition: z.enum(['accepted', 'refused', 'applied', 'held', 'unknown']),
  /** Of the claim under which a result is `held`. */
  epoch: z.number().int().positive().optional(),
});
export type WorkReply = z.infer<typeof workReplySchema>;
