import { z } from 'zod';
import { contentSchema } from './content';
import { sessionKeySchema } from './ids';
import { jsonObjectSchema } from './json';
import { runConfigSchema } from './run-config';

/** What to do with a message for a session that is busy (docs/how-to/cancel-and-busy-sessions.md). */
export const onBusySchema = z.enum(['enqueue', 'reject', 'interrupt']);
export type OnBusy = z.infer<typeof onBusySchema>;

/**
 * `rpc.session.submit`: stores one input, and claims its invocation when the session is free. A message with function
 * responses is an input of the invocation that made the calls (B47), and so is one that names its invocation; any other
 * begins an invocation. `functionCallEventId` is only a hint, since the ids of the responses decide.
 */
export const submitSchema = sessionKeySchema.extend({
  newMessage: contentSchema.optional(),
  stateDelta: jsonObjectSchema.optional(),
  runConfig: runConfigSchema,
  functionCallEventId: z.string().optional(),
  invocationId: z.string().optional(),
  onBusy: onBusySchema.default('enqueue'),
  autoCreateSession: z.boolean().default(false),
  /** The same key from the same app and user with the same body answers the same invocation. */
  idempotencyKey: z.string().min(1).max(256).optional(),
  /** Names one request among all, so that whoever did not hear its answer may send it again. Without meaning beside a key. */
  requestId: z.uuid().optional(),
  /** Asks for the invocation of an earlier submit under the key; without one it rejects, and stores nothing. */
  isRepeat: z.literal(true).optional(),
});
export type Submit = z.infer<typeof submitSchema>;

/**
 * `segment` is the pass of the invocation that this input begins. `afterSeq` is the session's head before this input: a
 * stream of the segment begins above it.
 */
export const submittedSchema = z.object({
  invocationId: z.string(),
  segment: z.number().int().nonnegative(),
  sessionUid: z.string(),
  afterSeq: z.number().int().nonnegative(),
});
export type Submitted = z.infer<typeof submittedSchema>;
