import { commonEnv, durationMs, integerFrom, url, withCommonRules } from '@skein/platform';
import { z } from 'zod';

const databaseUrl = url('postgres', 'postgresql');

/** session-svc's environment; no other process of the product is given these two. */
export const sessionServiceConfig = withCommonRules(
  z.object({
    ...commonEnv,
    DATABASE_URL: databaseUrl,
    /** Signs tickets of tool calls; the same for every session-svc of a deployment. */
    SKEIN_SECRET: z.string().min(16, 'must have at least 16 characters'),
    LEASE_MS: durationMs(15_000),
    SWEEP_MS: durationMs(2_000),
    ACK_WAIT_MS: durationMs(30_000),
    /** How old an object has to be that nothing refers to, before it is deleted: longer than anybody tries to record it. */
    ORPHAN_GRACE_MS: integerFrom(10_000, 24 * 60 * 60 * 1_000),
  }),
);
export type SessionServiceConfig = z.output<typeof sessionServiceConfig>;

/** All that migrating needs. */
export const migrateConfig = z.object({ DATABASE_URL: databaseUrl });
