import { z } from 'zod';
import { callPassSchema } from './call-request';
import { invocationIdSchema } from './ids';

/**
 * `rpc.call.again`: a worker asks before it begins a call that others may have begun and died of. `handler` names this one
 * handling of it, the same when it is asked again: a start is counted once, however often its answer is lost.
 */
export const againCallSchema = callPassSchema.extend({
  invocationId: invocationIdSchema,
  handler: z.uuid(),
  /** That of the message. */
  returned: z.number().int().nonnegative(),
  /** How often the message was delivered before. */
  started: z.number().int().nonnegative(),
  /** How many such calls run in this worker already, where one that ends it ends all of them. */
  beside: z.number().int().nonnegative(),
});
export type AgainCall = z.infer<typeof againCallSchema>;

/**
 * `run`: begin it, as that attempt. `spent`: it was begun so often as it may be, and no result came. `returned`: it waits for
 * its turn once more, since it would run beside too many of its kind. `over`: this message is nobody's any more.
 */
export const againVerdictSchema = z.object({
  verdict: z.enum(['run', 'spent', 'returned', 'over']),
  /** Which of its starts this is, or how many there were when they are spent. */
  attempt: z.number().int().positive().optional(),
});
export type AgainVerdict = z.infer<typeof againVerdictSchema>;
