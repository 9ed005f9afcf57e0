import { booleanText, commonEnv, durationMs, integerFrom, url, withCommonRules } from '@skein/platform';
import { z } from 'zod';

const databaseUrl = url('postgres', 'postgresql');

const HOUR_MS = 3_600_000;

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
    /** Whether gateways and runners on the same machine may ask by a socket under DATA_DIR, beside NATS. */
    LANES: booleanText(true),
    /** Whether runners begin before a message is stored; only where this is the one session-svc of its database (ADR 40). */
    GUESS_CLAIMS: booleanText(false),
    /** Whether calls leave for workers before they are stored; only where every session-svc and every worker knows how to hold one (ADR 44). */
    HOLD_CALLS: booleanText(false),
    /**
     * How old an object has to be that nothing refers to, before it is deleted. An upload may take an hour, what records it
     * minutes, and the two clocks that are compared may differ.
     */
    ORPHAN_GRACE_MS: integerFrom(2 * HOUR_MS, 24 * HOUR_MS),
  }),
);
export type SessionServiceConfig = z.output<typeof sessionServiceConfig>;

/** All that is needed after a restore. */
export const restoredConfig = z.object({ ...commonEnv, DATABASE_URL: databaseUrl });

/** All that migrating needs. */
export const migrateConfig = z.object({ DATABASE_URL: databaseUrl });

/** What is imported, where the command line does not name it. */
export const importSourceConfig = z.object({ IMPORT_FROM: z.string().optional() });

/** All that importing needs; without a database that of the stack on DATA_DIR. */
export const importConfig = z.object({
  DATABASE_URL: databaseUrl.optional(),
  DATA_DIR: commonEnv.DATA_DIR,
});
