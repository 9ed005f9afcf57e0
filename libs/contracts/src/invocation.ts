import { z } from 'zod';
import { sessionKeySchema } from './ids';

/** `queued` and `running` make a session busy; the other states hold no lease, slot or message. */
export const invocationStatusSchema = z.enum([
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'dead',
]);
export type InvocationStatus = z.infer<typeof invocationStatusSchema>;

/** Why an invocation failed, as its terminal event told it. */
export const invocationErrorSchema = z.object({ code: z.string(), message: z.string() });
export type InvocationError = z.infer<typeof invocationErrorSchema>;

/** `rpc.session.invocation`: where one invocation stands, or one segment of it. */
export const readInvocationSchema = sessionKeySchema.extend({
  invocationId: z.string(),
  segment: z.number().int().nonnegative().optional(),
});
export type ReadInvocation = z.infer<typeof readInvocationSchema>;

/** `rpc.session.cancel`: ends an invocation; of one that is over nothing changes. Answers as `inspect` does. */
export const cancelInvocationSchema = sessionKeySchema.extend({ invocationId: z.string() });
export type CancelInvocation = z.infer<typeof cancelInvocationSchema>;

/** The code of the event that tells of a cancelled invocation. */
export const CANCELLED = 'invocation.cancelled';

/**
 * `lastSeq` is the session's head at the same moment: events above it belong to what comes later. Of a segment that is
 * over, it is the head when it ended, and `status` and `error` are how it ended, whatever the invocation did since.
 */
export const invocationStateSchema = z.object({
  invocationId: z.string(),
  segment: z.number().int().nonnegative(),
  status: invocationStatusSchema,
  error: invocationErrorSchema.optional(),
  lastSeq: z.number().int().nonnegative(),
});
export type InvocationState = z.infer<typeof invocationStateSchema>;

/**
 * One pass of the engine over an invocation, begun by one input. Its events lie above `afterSeq`, the session's head when
 * the input was stored, and not above `endSeq`, the head when it ended.
 */
export const segmentStateSchema = z.object({
  segment: z.number().int().nonnegative(),
  status: invocationStatusSchema,
  error: invocationErrorSchema.optional(),
  afterSeq: z.number().int().nonnegative(),
  endSeq: z.number().int().nonnegative().optional(),
});
export type SegmentState = z.infer<typeof segmentStateSchema>;

/**
 * An invocation as its reader sees it. `attempt` counts the runners that were lost in a row without a new stored step.
 * Times are float seconds, as on events; `stopTime` is there while it rests.
 */
export const invocationDetailsSchema = z.object({
  invocationId: z.string(),
  status: invocationStatusSchema,
  error: invocationErrorSchema.optional(),
  segment: z.number().int().nonnegative(),
  segments: z.array(segmentStateSchema),
  attempt: z.number().int().positive(),
  createTime: z.number(),
  stopTime: z.number().optional(),
  cancelRequestTime: z.number().optional(),
});
export type InvocationDetails = z.infer<typeof invocationDetailsSchema>;

/** `rpc.session.inspect`: one invocation of a session, with the session's identity and head of the same moment. */
export const inspectInvocationSchema = sessionKeySchema.extend({ invocationId: z.string() });
export type InspectInvocation = z.infer<typeof inspectInvocationSchema>;

export const inspectedInvocationSchema = invocationDetailsSchema.extend({
  sessionUid: z.string(),
  lastSeq: z.number().int().nonnegative(),
});
export type InspectedInvocation = z.infer<typeof inspectedInvocationSchema>;

/** `rpc.session.invocations`: those of a session, the newest first; `before` is the last id of the page before. */
export const listInvocationsSchema = sessionKeySchema.extend({
  before: z.string().optional(),
  limit: z.number().int().min(1).max(200),
});
export type ListInvocations = z.infer<typeof listInvocationsSchema>;

/** `next`, where there are more, is what to ask for as `before`. */
export const invocationPageSchema = z.object({
  invocations: z.array(invocationDetailsSchema),
  next: z.string().optional(),
});
export type InvocationPage = z.infer<typeof invocationPageSchema>;
