import { booleanText, commonEnv, durationMs, integerFrom, list, withCommonRules } from '@skein/platform';
import { isEgressAllowList } from '@skein/toolsets';
import { z } from 'zod';

export const runnerConfig = withCommonRules(
  z.object({
    ...commonEnv,
    /** Invocations this process runs at the same time. */
    RUNNER_CONCURRENCY: integerFrom(1, 64),
    /** About what the event logs of sessions may take in memory between their runs. */
    SESSION_CACHE_BYTES: integerFrom(1_024, 64 * 1024 * 1024),
    /** Whether tool workers on the same machine may bring results by a socket under DATA_DIR, beside NATS. */
    LANES: booleanText(true),
    LEASE_MS: durationMs(15_000),
    /** At SIGTERM a step under way, such as a model call, has so long to end before its run is handed over without it. */
    STEP_GRACE_MS: durationMs(5_000),
    /** Bytes of one model's answer; given to the models by `providerEnvironment`. */
    MODEL_ANSWER_LIMIT_BYTES: integerFrom(1_024, 32 * 1024 * 1024),
    /** What tools may reach beside the public internet; given to the toolsets by `providerEnvironment`. */
    TOOL_EGRESS_ALLOW: list()
      .refine(isEgressAllowList, 'must be hosts, networks or origins of servers')
      .optional(),
    /** Whether an agent file that imports @google/adk gets @skein/adk. */
    ADK_COMPAT: booleanText(true),
    /** Where compiled agent files are kept for the next start. */
    AGENTS_CACHE_DIR: z.string().optional(),
  }),
);
export type RunnerConfig = z.output<typeof runnerConfig>;
