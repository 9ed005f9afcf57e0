import { z } from 'zod';
import { contentSchema } from './content';
import { appNameSchema, dispatchIdSchema, invocationIdSchema, sessionKeySchema } from './ids';
import { jsonObjectSchema } from './json';
import { callRowSchema } from './tool-call';
import { toolResultMessageSchema } from './tool-result';

/**
 * `open`: nobody has dealt with it. `redriven`: it was sent again; while it has no result it is under way, and without one it is
 * open again. `discarded`: nothing is to be done about it.
 */
export const deadLetterStatusSchema = z.enum(['open', 'redriven', 'discarded']);
export type DeadLetterStatus = z.infer<typeof deadLetterStatusSchema>;

/** A call the plane ended without its tool's answer. Times are float seconds, as on events; `dieTime` is of the last time. */
export const deadLetterSchema = sessionKeySchema.extend({
  dispatchId: dispatchIdSchema,
  invocationId: invocationIdSchema,
  agentName: z.string(),
  callId: z.string(),
  tool: z.string(),
  pool: z.string(),
  /** How often it was begun. Between processes the number of its last attempt, begun or not, beside `started`. */
  attempts: z.number().int().nonnegative(),
  /** How often it was begun, redrives included; where a version before wrote the letter, not known. */
  started: z.number().int().nonnegative().optional(),
  code: z.string(),
  message: z.string(),
  status: deadLetterStatusSchema,
  dieTime: z.number(),
  redriveTime: z.number().optional(),
});
export type DeadLetter = z.infer<typeof deadLetterSchema>;

/** With all that the tool was given. The state is left out where it was too large to be kept. */
export const deadLetterDetailsSchema = deadLetterSchema.extend({
  args: jsonObjectSchema,
  policy: callRowSchema.shape.policy,
  confirmation: callRowSchema.shape.confirmation,
  state: jsonObjectSchema.optional(),
  userContent: contentSchema.optional(),
  /** Of a redrive. The conversation had its answer before, and is not changed by it. */
  result: toolResultMessageSchema.pick({ outcome: true, actions: true, execution: true }).optional(),
});
export type DeadLetterDetails = z.infer<typeof deadLetterDetailsSchema>;

/** The place of a letter among those of its app, newest first: what a page begins behind. */
export const deadLetterPositionSchema = z.object({
  diedAtMicros: z.number().int().nonnegative(),
  dispatchId: dispatchIdSchema,
});
export type DeadLetterPosition = z.infer<typeof deadLetterPositionSchema>;

/** `rpc.dead-letter.list`: those of an app, the newest first. */
export const listDeadLettersSchema = z.object({
  appName: appNameSchema,
  status: deadLetterStatusSchema.optional(),
  before: deadLetterPositionSchema.optional(),
  limit: z.number().int().min(1).max(200),
});
export type ListDeadLetters = z.infer<typeof listDeadLettersSchema>;

/** `next`, where there are more, is what to ask for as `before`. */
export const deadLetterPageSchema = z.object({
  deadLetters: z.array(deadLetterSchema),
  next: deadLetterPositionSchema.optional(),
});
export type DeadLetterPage = z.infer<typeof deadLetterPageSchema>;

/** `rpc.dead-letter.inspect` and `rpc.dead-letter.discard`: one letter of an app. */
export const deadLetterKeySchema = z.object({ appName: appNameSchema, dispatchId: dispatchIdSchema });
export type DeadLetterKey = z.infer<typeof deadLetterKeySchema>;

/** `rpc.dead-letter.redrive`: sends it once more. A call that may run once only with `isForced`: its effect may have happened. */
export const redriveSchema = deadLetterKeySchema.extend({ isForced: z.boolean() });
export type Redrive = z.infer<typeof redriveSchema>;
