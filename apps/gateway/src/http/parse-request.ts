import { AdkError } from '@skein/contracts';
import type { z } from 'zod';

/** A body of a million wrong parts is answered by a page, not by a book. */
const MAX_ISSUES = 20;
const MAX_PIECE_LENGTH = 80;

export interface RequestIssue {
  readonly path: string;
  readonly message: string;
}

/** Checks one part of a request; what is wrong is told field by field. */
export function parseRequest<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.map(toRequestIssue));
}

function toRequestIssue(issue: z.core.$ZodIssue): RequestIssue {
  // What is wrong with a key lies inside; outside it only says that there is something.
  const { message } = (issue.code === 'invalid_key' ? issue.issues[0] : undefined) ?? issue;
  return { path: issue.path.map((piece) => shorten(String(piece))).join('.'), message };
}

/** A key comes from the client, and may be as long as the body. */
function shorten(piece: string): string {
  return piece.length > MAX_PIECE_LENGTH ? `${piece.slice(0, MAX_PIECE_LENGTH)}…` : piece;
}

/** The refusal of a request for these reasons; its sentence tells the first of them. */
export function invalidRequest(issues: readonly RequestIssue[]): AdkError {
  const told = issues.slice(0, MAX_ISSUES);
  const [sentence = 'refused'] = told.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new AdkError('invalid', 'request.invalid', `Invalid request: ${sentence}${more}`, {
    details: { issues: told },
  });
}
