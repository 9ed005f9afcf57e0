import { z } from 'zod';
import { parseRequest } from '../http/parse-request';

/** A yes or no of a query; anything else is refused. */
export const flag = z
  .enum(['1', 'true', '0', 'false'], 'must be true or false')
  .transform((text) => text === '1' || text === 'true');

/** What every event stream may be asked: whether its client takes it up again, and so knows our `reset`. */
export const resumeSchema = z.object({ resume: flag.default(false) });

export function readResume(query: unknown): boolean {
  return parseRequest(resumeSchema, query).resume;
}
