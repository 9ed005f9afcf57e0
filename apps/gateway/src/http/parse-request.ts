import { AdkError } from '@skein/contracts';
import type { z } from 'zod';

/** A body of a million wrong parts is answered by a page, not by a book. */
const MAX_ISSUES = 20;

export interface RequestIssue {
  readonly path: string;
  readonly message: string;
}

/** Checks one part of a request; what is wrong is told field by field. */
export function parseRequest<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(
    result.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message })),
  );
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
