import { z } from 'zod';
import { contentSchema } from './content';
import { invocationIdSchema, sessionKeySchema } from './ids';
import { jsonObjectSchema } from './json';
import { runConfigSchema } from './run-config';
import { stepRecordSchema } from './step-record';
import { storedEventSchema } from './stored-event';
import { toolResultMessageSchema } from './tool-result';

/** One input of an invocation: what the user said, or answered. */
export const invocationInputSchema = z.object({
  ordinal: z.number().int().nonnegative(),
  newMessage: contentSchema.optional(),
  stateDelta: jsonObjectSchema.optional(),
  runConfig: runConfigSchema,
  functionCallEventId: z.string().optional(),
});
export type InvocationInput = z.infer<typeof invocationInputSchema>;

/** A tool call of this segment that was stored and not yet applied; resume takes up or waits for its result. */
export const openCallSchema = z.object({
  dispatchId: z.string(),
  /** The stored result of a call that is done and not applied. */
  result: toolResultMessageSchema.optional(),
});
export type OpenCall = z.infer<typeof openCallSchema>;

/**
 * A claimed invocation with all a runner needs to go on: the fence, the input, and the session as of `lastSeq`.
 * `events` holds those above `fromSeq`, at most 512 KiB of them; the runner pages what is missing.
 */
export const handoverSchema = sessionKeySchema.extend({
  invocationId: invocationIdSchema,
  sessionUid: z.string(),
  epoch: z.number().int().positive(),
  /** 1 for the first claim; one more after each owner that was lost without a stored step, 1 again after one with. */
  attempt: z.number().int().positive(),
  segment: z.number().int().nonnegative(),
  input: invocationInputSchema,
  /** The session's head when the segment began; stored steps above it are this segment's journal. */
  baseSeq: z.number().int().nonnegative(),
  lastSeq: z.number().int().nonnegative(),
  /** Session state as of `baseSeq`; with the prefixed scopes below it is the state the segment began with. */
  sessionState: jsonObjectSchema,
  appState: jsonObjectSchema,
  userState: jsonObjectSchema,
  fromSeq: z.number().int().nonnegative(),
  events: z.array(storedEventSchema),
  records: z.array(stepRecordSchema),
  openCalls: z.array(openCallSchema),
  lastUpdateTime: z.number(),
  /** The trace of the request that began this segment; absent where that was not traced. */
  traceparent: z.string().optional(),
  /** That of the segment before it: this one is the answer to what that one asked. */
  askedTraceparent: z.string().optional(),
});
export type Handover = z.infer<typeof handoverSchema>;

const LONGEST_PATIENCE_MS = 3_000;

/**
 * How long, in milliseconds, session-svc waits for a runner's word on a hand-over before it takes the claim back. A
 * runner that may have read one later than that asks whether the claim still stands before it runs it.
 */
export function handoverPatienceMs(leaseMs: number): number {
  return Math.min(LONGEST_PATIENCE_MS, leaseMs / 3);
}
