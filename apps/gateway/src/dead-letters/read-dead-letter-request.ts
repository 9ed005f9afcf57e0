import {
  appNameSchema,
  deadLetterKeySchema,
  type DeadLetterKey,
  type DeadLetterPosition,
  deadLetterPositionSchema,
  deadLetterStatusSchema,
  type ListDeadLetters,
  type Redrive,
} from '@skein/contracts';
import { z } from 'zod';
import { pageLimitSchema } from '../http/page-limit';
import { parseRequest } from '../http/parse-request';
import { flag } from '../run/resume-query';

/**
 * Where a page begins, as a text clients hand back. It is not signed: whatever it says, it moves within the letters of the app
 * whose path it came with.
 */
const cursorSchema = z
  .string()
  .max(128)
  .transform((text, context): DeadLetterPosition => {
    const [micros, dispatchId] = Buffer.from(text, 'base64url').toString().split('.');
    const position = deadLetterPositionSchema.safeParse({ diedAtMicros: Number(micros), dispatchId });
    if (position.success && writeCursor(position.data) === text) return position.data;
    context.addIssue({ code: 'custom', message: 'must be the "next" of a page' });
    return z.NEVER;
  });

const listSchema = z.object({
  status: deadLetterStatusSchema.optional(),
  before: cursorSchema.optional(),
  limit: pageLimitSchema,
});

export function writeCursor({ diedAtMicros, dispatchId }: DeadLetterPosition): string {
  return Buffer.from(`${diedAtMicros}.${dispatchId}`).toString('base64url');
}

export function readDeadLetterList(params: unknown, query: unknown): ListDeadLetters {
  return {
    ...parseRequest(z.object({ appName: appNameSchema }), params),
    ...parseRequest(listSchema, query),
  };
}

export function readDeadLetterKey(params: unknown): DeadLetterKey {
  return parseRequest(deadLetterKeySchema, params);
}

export function readRedrive(params: unknown, query: unknown): Redrive {
  const { force } = parseRequest(z.object({ force: flag.default(false) }), query);
  return { ...readDeadLetterKey(params), isForced: force };
}
