import { z } from 'zod';
import { eventSchema } from './event';
import { invocationErrorSchema, invocationStatusSchema } from './invocation';

/**
 * `partial.<app>.<user>.<session>`, core NATS, may be lost. A frame is shown only after the event `afterSeq`.
 * `chunk`: the n-th streamed piece of an event that is not stored yet. `end`: a segment of the invocation is over, and
 * how it ended; who misses it reads `rpc.session.invocation`.
 */
export const partialFrameSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('chunk'),
    epoch: z.number().int().positive(),
    segment: z.number().int().nonnegative(),
    n: z.number().int().nonnegative(),
    afterSeq: z.number().int().nonnegative(),
    event: eventSchema,
  }),
  z.object({
    kind: z.literal('end'),
    invocationId: z.string(),
    segment: z.number().int().nonnegative(),
    status: invocationStatusSchema,
    error: invocationErrorSchema.optional(),
    afterSeq: z.number().int().nonnegative(),
  }),
]);
export type PartialFrame = z.infer<typeof partialFrameSchema>;
