import { z } from 'zod';
import { dispatchIdSchema, invocationIdSchema } from './ids';
import { callPassSchema } from './call-request';

/**
 * `progress.<bucket>`, core NATS, may be lost: how far a call has got. `n` counts within one attempt of the worker's; what
 * is not newer than what was heard is left out. At most twenty a second for each call.
 */
export const toolProgressSchema = callPassSchema.extend({
  invocationId: invocationIdSchema,
  attempt: z.number().int().positive(),
  n: z.number().int().nonnegative(),
  value: z.unknown(),
});
export type ToolProgress = z.infer<typeof toolProgressSchema>;

/** What the owner of the call's run is told of it, once its ticket was found to be genuine. */
export const callProgressSchema = z.object({
  invocationId: invocationIdSchema,
  dispatchId: dispatchIdSchema,
  attempt: z.number().int().positive(),
  n: z.number().int().nonnegative(),
  value: z.unknown(),
});
export type CallProgress = z.infer<typeof callProgressSchema>;
