import { randomUUID } from 'node:crypto';
import {
  eventActionsSchema,
  eventSchema,
  sessionIdSchema,
  sessionKeySchema,
  type CreateSession,
  type SessionKey,
} from '@skein/contracts';
import { z } from 'zod';
import { camelCaseSession } from '../http/camel-case';
import { parseRequest } from '../http/parse-request';
import { stateSchema } from '../http/state-schema';

const ownerSchema = sessionKeySchema.omit({ sessionId: true });
type SessionOwner = z.infer<typeof ownerSchema>;

/** An event to begin a session with; ADK's clients leave out what ADK fills in. */
const givenEventSchema = eventSchema.extend({
  id: z.string().min(1).max(256).default(randomUUID),
  timestamp: z.number().default(() => Date.now() / 1000),
  invocationId: z.string().max(256).default(''),
  actions: eventActionsSchema.extend({ stateDelta: stateSchema.default({}) }).prefault({}),
});

const bodySchema = z
  .object({
    sessionId: sessionIdSchema.optional(),
    state: stateSchema.optional(),
    events: z
      .array(givenEventSchema)
      .refine((events) => new Set(events.map(({ id }) => id)).size === events.length, 'event ids must differ')
      .optional(),
  })
  .nullish();

const stateBodySchema = stateSchema.nullish();

/** Whose sessions a path speaks of. */
export function readSessionOwner(params: unknown): SessionOwner {
  return parseRequest(ownerSchema, params);
}

/** Which session a path speaks of. */
export function readKey(params: unknown): SessionKey {
  return parseRequest(sessionKeySchema, params);
}

/** The body of a create: nothing, `null`, or any of id, state and events. */
export function readNewSession(params: unknown, body: unknown): CreateSession {
  return { ...readSessionOwner(params), ...parseRequest(bodySchema, camelCaseSession(body)) };
}

/** ADK's older create: the id is in the path, and the whole body is the state. */
export function readNamedSession(params: unknown, body: unknown): CreateSession {
  return { ...readKey(params), state: parseRequest(stateBodySchema, body) ?? undefined };
}
