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

/** `rpc.session.create`: a missing id is minted; an existing id is a conflict `session.exists`. */
export const createSessionSchema = sessionKeySchema.partial({ sessionId: true }).extend({
  state: jsonObjectSchema.optional(),
  events: z.array(eventSchema).optional(),
});
export type CreateSession = z.infer<typeof createSessionSchema>;

/** `rpc.session.get`: `afterSeq` is exclusive; `numRecentEvents: 0` answers no events. */
export const getSessionSchema = sessionKeySchema.extend({
  afterSeq: z.number().int().nonnegative().optional(),
  numRecentEvents: z.number().int().nonnegative().optional(),
  afterTimestamp: z.number().optional(),
});
export type GetSession = z.infer<typeof getSessionSchema>;

/** `rpc.session.list`: the user's sessions, newest first, without events. */
export const listSessionsSchema = sessionKeySchema.omit({ sessionId: true });
export type ListSessions = z.infer<typeof listSessionsSchema>;

/** `rpc.session.delete`: idempotent; deleting what is not there is no error. */
export const deleteSessionSchema = sessionKeySchema;
export type DeleteSession = z.infer<typeof deleteSessionSchema>;
