import { z } from 'zod';
import { callPassSchema } from './call-request';
import { invocationIdSchema } from './ids';

/**
 * Why a worker gives a call back that it did not begin: `unknown`, it does not have the tool; `away`, it cannot look for it
 * now; `unstarted`, it is leaving.
 */
export const returnReasonSchema = z.enum(['unknown', 'away', 'unstarted']);
export type ReturnReason = z.infer<typeof returnReasonSchema>;

/**
 * `rpc.call.return`: a worker gives a call back unrun, at no cost of an attempt. `returned` is that of the message it holds,
 * so that one message gives its call back once, however often this is asked.
 */
export const returnCallSchema = callPassSchema.extend({
  invocationId: invocationIdSchema,
  reason: returnReasonSchema,
  returned: z.number().int().nonnegative(),
  /** How often others may have started the call under this ticket: those attempts stay counted. */
  started: z.number().int().nonnegative().max(10_000),
});
export type ReturnCall = z.infer<typeof returnCallSchema>;

/**
 * `returned`: another worker gets it. `over`: this message is nobody's any more. `unknown`: no worker is known to have the
 * tool, so the call is to be answered.
 */
export const returnedCallSchema = z.object({ verdict: z.enum(['returned', 'over', 'unknown']) });
export type ReturnedCall = z.infer<typeof returnedCallSchema>;
