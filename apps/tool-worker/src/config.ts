import { poolNameSchema } from '@skein/contracts';
import {
  booleanText,
  commonEnv,
  durationMs,
  integerFrom,
  list,
  listOf,
  withCommonRules,
} from '@skein/platform';
import { isEgressAllowList } from '@skein/toolsets';
import { z } from 'zod';

export const toolWorkerConfig = withCommonRules(
  z.object({
    ...commonEnv,
    /** Whether runners and session-svc on the same machine are asked by their sockets under DATA_DIR, beside NATS. */
    LANES: booleanText(true),
    /** Pools this process serves, with commas between them. */
    TOOL_POOLS: listOf('default').pipe(z.array(poolNameSchema)),
    /** Calls of one pool run at the same time. */
    TOOL_CONCURRENCY: integerFrom(1, 16),
    /** Where tools run that do not say it: beside the others, or in a thread or process of their own. */
    TOOL_ISOLATION: z.enum(['inline', 'thread', 'process']).default('inline'),
    /** A worker that died is noticed after so long: its calls go to another. */
    ACK_WAIT_MS: durationMs(30_000),
    /** What this process may hold in memory; the container's limit, if it has one, for 0. */
    TOOL_MEMORY_LIMIT_BYTES: integerFrom(0, 0),
    TOOL_RESULT_LIMIT_BYTES: integerFrom(1_024, 8 * 1024 * 1024),
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
export type ToolWorkerConfig = z.output<typeof toolWorkerConfig>;
