import { z } from 'zod';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const RANGE = `must be a whole number from 1 to ${MAX_LIMIT}`;

/** How many entries of a list a client wants on a page, as its query says it. */
export const pageLimitSchema = z
  .string()
  .regex(/^\d+$/, RANGE)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= MAX_LIMIT, RANGE)
  .default(DEFAULT_LIMIT);
