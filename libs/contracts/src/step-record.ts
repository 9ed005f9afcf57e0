import { z } from 'zod';

/**
 * The stored outcome of a step that leaves no event (architecture 6): deleted when the invocation ends.
 * `temp` holds the `temp:` keys an event of the same step set; `step` the value of `ctx.step`.
 */
export const stepRecordSchema = z.object({
  stepKey: z.string(),
  kind: z.enum(['temp', 'empty', 'step', 'arguments']),
  payload: z.unknown(),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;
