import { z } from 'zod';
import { contentSchema } from './content';
import { dispatchIdSchema, invocationIdSchema, sessionKeySchema } from './ids';
import { jsonObjectSchema } from './json';
import { toolConfirmationSchema } from './tool-confirmation';

/** Which of the calls that wait for their turn in a pool go first; `normal` when absent. */
export const toolPrioritySchema = z.enum(['high', 'normal', 'low']);
export type ToolPriority = z.infer<typeof toolPrioritySchema>;

/** How often, how long and beside how many others one call may be tried; from the tool's own options. */
export const toolPolicySchema = z.object({
  /** Bound of one execution, in milliseconds. */
  timeoutMs: z.number().int().positive(),
  maxAttempts: z.number().int().positive(),
  sideEffect: z.enum(['idempotent', 'once']),
  /** The tool changes nothing anywhere: its first message may leave before the call is stored. `false` when absent. */
  readOnly: z.boolean().optional(),
  /** Of a call whose first message left before it was stored: the deadline in the ticket of that one, and of no other. */
  aheadDeadlineMs: z.number().int().optional(),
  /** How long a call may wait for its first start; 5 minutes when absent. */
  scheduleToStartTimeoutMs: z.number().int().positive().optional(),
  /** How long an execution may be silent; for ever when absent. */
  heartbeatTimeoutMs: z.number().int().positive().optional(),
  /** Before the second attempt, doubled before each one after it. */
  backoffMs: z.number().int().positive().optional(),
  maxBackoffMs: z.number().int().positive().optional(),
  /** How many calls of the tool run at once in the whole fleet. */
  maxConcurrency: z.number().int().positive().optional(),
  /** How many calls of the tool begin in a time in the whole fleet. */
  rateLimit: z.object({ calls: z.number().int().positive(), perMs: z.number().int().positive() }).optional(),
  priority: toolPrioritySchema.optional(),
  /** Whether somebody is shown how far the call has got: `false` where the client asked for whole events, else absent. */
  isFollowed: z.boolean().optional(),
});
export type ToolPolicy = z.infer<typeof toolPolicySchema>;

/** One tool call as a runner asks to have it stored: `index` is its place among the calls of its turn. */
export const callRowSchema = z.object({
  dispatchId: dispatchIdSchema,
  stepKey: z.string(),
  index: z.number().int().nonnegative(),
  callId: z.string(),
  agentName: z.string(),
  tool: z.string(),
  pool: z.string(),
  /** Effective arguments: after every before_tool callback. */
  args: jsonObjectSchema,
  policy: toolPolicySchema,
  /**
   * What a human decided about this call, when the tool had them asked. Checked for what else it holds where it came in
   * (B66): between processes a later version may add to it.
   */
  confirmation: z.object(toolConfirmationSchema.shape).optional(),
});
export type CallRow = z.infer<typeof callRowSchema>;

/** session-svc's permission to run one attempt of one call; the HMAC covers the other fields and the tool. */
export const ticketSchema = z.object({
  dispatchId: dispatchIdSchema,
  attempt: z.number().int().positive(),
  /** Absolute, by the database clock, in milliseconds since the epoch. */
  deadlineMs: z.number().int(),
  hmac: z.string(),
  /**
   * What the run that waits for the call made up for it: a result that shows it is of somebody who was given the call, so the run
   * may hear it before it is told that its call is stored. Not covered by the HMAC; of calls that only read.
   */
  nonce: z.string().optional(),
});
export type Ticket = z.infer<typeof ticketSchema>;

/** Of those that a call names; NATS ends a connection that sends it a line much longer than this. */
const MAX_SUBJECT_LENGTH = 256;

/**
 * A message of TOOLS: one attempt of one call. Its Nats-Msg-Id is `<dispatchId>.<attempt>`; one that is sent again on
 * purpose adds why: `.again.<ms>` (results were lost), `.returned.<n>` (a worker gave it back). One that left while its call
 * was stored ends in `.ahead`.
 */
export const toolCallMessageSchema = sessionKeySchema.extend({
  invocationId: invocationIdSchema,
  call: callRowSchema,
  ticket: ticketSchema,
  /** How often workers gave the call back unrun before this message of it; never when absent. */
  returned: z.number().int().positive().optional(),
  /** Merged session state as of the call: what `ctx.state` reads in the worker. */
  state: jsonObjectSchema,
  /** What the user said, as it is stored: what `ctx.userContent` reads in the worker. */
  userContent: contentSchema.optional(),
  /** Where the runner that waits for the result is asked to take it, `answer.<runner>`; only while that one is known. */
  answerTo: z.string().max(MAX_SUBJECT_LENGTH).optional(),
  /**
   * The call is being stored as this leaves: it may begin once that is done. Where to ask, `stored.<process>`, for who stores it is the
   * first to know. Absent of calls that are stored, and of those that only read.
   */
  askStored: z.string().max(MAX_SUBJECT_LENGTH).optional(),
});
export type ToolCallMessage = z.infer<typeof toolCallMessageSchema>;

/** `cancel.calls`, core NATS, may be lost: nobody waits for the calls of this invocation any more, nor ever will. */
export const cancelledCallsSchema = z.object({ invocationId: invocationIdSchema });
