import { commonEnv, durationMs, integerFrom } from '@skein/platform';
import { z } from 'zod';

export const runnerConfig = z.object({
  ...commonEnv,
  /** Invocations this process runs at the same time. */
  RUNNER_CONCURRENCY: integerFrom(1, 64),
  LEASE_MS: durationMs(15_000),
});
export type RunnerConfig = z.output<typeof runnerConfig>;
