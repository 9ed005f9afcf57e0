import { randomUUID } from 'node:crypto';
import {
  eventSchema,
  sessionIdSchema,
  type AddToMemory,
  type GetSession,
  type RewindSession,
  type WriteEvent,
} from '@skein/contracts';
import { z } from 'zod';
import { camelCaseSession } from '../http/camel-case';
import { invalidRequest, parseRequest } from '../http/parse-request';
import { stateSchema } from '../http/state-schema';
import { readKey, readSessionOwner } from './read-session-request';

const SEQ = /^\d{1,15}$/;

const patchSchema = z.object({
  stateDelta: stateSchema,
  expectedSeq: z.number().int().nonnegative().optional(),
});

const rewindSchema = z.object({ rewindBeforeInvocationId: z.string().min(1).max(256) });

const memorySchema = z.object({ sessionId: sessionIdSchema });

/** Which session to read, and as of when: `?atSeq=` is the `seq` that was its head. */
export function readGet(params: unknown, atSeq: unknown): GetSession {
  const key = readKey(params);
  return atSeq === undefined ? key : { ...key, atSeq: readSeq('atSeq', atSeq) };
}

/** A change of state as the event that makes it: by the user, outside any run. */
export function readPatch(params: unknown, body: unknown, ifMatch: string | undefined): WriteEvent {
  const key = readKey(params);
  const { stateDelta, expectedSeq } = parseRequest(patchSchema, camelCaseSession(body));
  const id = randomUUID();
  return {
    ...key,
    event: eventSchema.parse({
      id,
      invocationId: `p-${id}`,
      author: 'user',
      timestamp: Date.now() / 1000,
      actions: { stateDelta },
    }),
    expectedSeq: expectedSeq ?? readIfMatch(ifMatch),
  };
}

export function readRewind(params: unknown, body: unknown): RewindSession {
  return { ...readKey(params), ...parseRequest(rewindSchema, camelCaseSession(body)), eventId: randomUUID() };
}

/** Which session its user's memory is to take up. */
export function readMemory(params: unknown, body: unknown): AddToMemory {
  return { ...readSessionOwner(params), ...parseRequest(memorySchema, camelCaseSession(body)) };
}

/** The `seq` the client last read, quoted as an entity tag or not. */
function readIfMatch(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch === '*') return undefined;
  return readSeq('If-Match', ifMatch.replace(/^"(.*)"$/, '$1'));
}

/** The `seq` of an event, or 0 for before the first. */
function readSeq(path: string, value: unknown): number {
  if (typeof value === 'string' && SEQ.test(value)) return Number(value);
  throw invalidRequest([{ path, message: 'must be the seq of an event, a whole number' }]);
}
