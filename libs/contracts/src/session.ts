import { z } from 'zod';
import { eventSchema } from './event';
import { sessionKeySchema } from './ids';
import { jsonObjectSchema } from './json';

/** A session as ADK's REST surface shows it; `state` is merged, `lastUpdateTime` is float seconds. */
export const sessionSchema = z.object({
  id: z.string(),
  appName: z.string(),
  userId: z.string(),
  state: jsonObjectSchema,
  events: z.array(eventSchema),
  lastUpdateTime: z.number(),
});
export type Session = z.infer<typeof sessionSchema>;

/**
 * `rpc.session.create`: a missing id is minted; an existing id is a conflict `session.exists`, unless it is that of the
 * session with this `uid`: then the same is asked for again.
 */
export const createSessionSchema = sessionKeySchema.partial({ sessionId: true }).extend({
  state: jsonObjectSchema.optional(),
  events: z.array(eventSchema).optional(),
  uid: z.uuid().optional(),
});
export type CreateSession = z.infer<typeof createSessionSchema>;

/**
 * `rpc.session.get`: `afterSeq` is exclusive; `numRecentEvents: 0` answers no events. With `atSeq` the session is as it
 * was when that was its head: the events up to it, and the session's own state of then; `app:` and `user:` keys as now.
 */
export const getSessionSchema = sessionKeySchema.extend({
  afterSeq: z.number().int().nonnegative().optional(),
  numRecentEvents: z.number().int().nonnegative().optional(),
  afterTimestamp: z.number().optional(),
  atSeq: z.number().int().nonnegative().optional(),
});
export type GetSession = z.infer<typeof getSessionSchema>;

/** `rpc.session.list`: the user's sessions, newest first, without events. */
export const listSessionsSchema = sessionKeySchema.omit({ sessionId: true });
export type ListSessions = z.infer<typeof listSessionsSchema>;

/** `rpc.session.delete`: idempotent; deleting what is not there is no error. */
export const deleteSessionSchema = sessionKeySchema;
export type DeleteSession = z.infer<typeof deleteSessionSchema>;

/**
 * `rpc.session.write`: appends an event for somebody who does not run the session, also while another does. A repeat of
 * the same event changes nothing; another head than `expectedSeq` is a conflict `session.stale`.
 */
export const writeEventSchema = sessionKeySchema.extend({
  event: eventSchema,
  expectedSeq: z.number().int().nonnegative().optional(),
});
export type WriteEvent = z.infer<typeof writeEventSchema>;

/**
 * `rpc.session.rewind`: takes back the named invocation and all after it (B55). `eventId` is that of the event which
 * says so, so a repeat changes nothing. A busy session is a conflict `session.busy`.
 */
export const rewindSessionSchema = sessionKeySchema.extend({
  eventId: z.uuid(),
  rewindBeforeInvocationId: z.string().min(1),
});
export type RewindSession = z.infer<typeof rewindSessionSchema>;

/** The answer to a write: the session's head after it. */
export const sessionHeadSchema = z.object({ lastSeq: z.number().int().nonnegative() });
export type SessionHead = z.infer<typeof sessionHeadSchema>;
