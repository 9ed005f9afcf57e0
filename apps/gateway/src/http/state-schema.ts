import { z } from 'zod';

const MAX_KEY_BYTES = 256;
const SCOPES: ReadonlySet<string> = new Set(['app:', 'user:', 'temp:']);

/** State as a client may set it. A scope is its exact prefix, so `APP:x` is a key of the session like any other. */
export const stateSchema = z.record(
  z
    .string()
    .min(1, 'a state key must not be empty')
    .refine((key) => Buffer.byteLength(key) <= MAX_KEY_BYTES, `a state key is at most ${MAX_KEY_BYTES} bytes`)
    .refine((key) => !SCOPES.has(key), 'a state key needs a name after its scope'),
  z.unknown(),
);
