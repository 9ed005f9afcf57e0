import { type ListInvocations, sessionKeySchema, type SessionKey } from '@skein/contracts';
import { z } from 'zod';
import { pageLimitSchema } from '../http/page-limit';
import { parseRequest } from '../http/parse-request';
import { flag, resumeSchema } from '../run/resume-query';
import { readKey } from '../sessions/read-session-request';

const invocationSchema = sessionKeySchema.extend({ invocationId: z.string().min(1).max(256) });

const listSchema = z.object({
  before: z.string().min(1).max(256).optional(),
  limit: pageLimitSchema,
});

const streamSchema = resumeSchema.extend({
  after: z.string().optional(),
  streaming: flag.default(false),
  sessionUid: z.string().max(64).optional(),
});

/** What a client asks of a stream it takes up again, beside where to go on. */
export type StreamRequest = z.output<typeof streamSchema>;

/** Which invocation a path speaks of. */
export function readInvocationKey(params: unknown): SessionKey & { readonly invocationId: string } {
  return parseRequest(invocationSchema, params);
}

export function readList(params: unknown, query: unknown): ListInvocations {
  return { ...readKey(params), ...parseRequest(listSchema, query) };
}

export function readStreamRequest(query: unknown): StreamRequest {
  return parseRequest(streamSchema, query);
}
