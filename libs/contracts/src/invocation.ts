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
