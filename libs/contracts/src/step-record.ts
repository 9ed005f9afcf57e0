import { z } from 'zod';

/**
 * The stored outcome of a step that leaves no event (ARCHITECTURE.md, "What the journal holds"): deleted when its segment
 * ends. `temp` holds the `temp:` keys an event of the same step set; `step` the value of `ctx.step`; `original` an event
 * as it was before on_event changed it; `child` an event of an agent that runs as a tool, which is in no log; `arguments`
 * what callbacks made of a call that was sent to its tool; `more` that an answer is not the last one of its model call;
 * `failure` what ended an activation of an agent before its time.
 */
export const stepRecordSchema = z.object({
  stepKey: z.string(),
  kind: z.enum(['temp', 'empty', 'step', 'arguments', 'original', 'child', 'more', 'failure']),
  payload: z.unknown(),
  /** Of what was asked for: a repeated run that asks for something else is told so. */
  hash: z.string().optional(),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;
