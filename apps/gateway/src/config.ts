import { booleanText, commonEnv, durationMs, integerFrom, list, withCommonRules } from '@skein/platform';
import { z } from 'zod';
import { hostnameOf, isLoopback } from './http/origin-guard';

export const DEFAULT_PORT = 8000;

const addressSchema = z.object({ HOST: z.string(), ALLOW_UNAUTHENTICATED: z.boolean() });

/** The gateway's environment. */
export const gatewayConfig = withCommonRules(
  z
    .object({
      ...commonEnv,
      /** A free port is looked for when it is left out; a port that was asked for and is busy is an error. */
      PORT: integerFrom(0, DEFAULT_PORT, 65_535).unwrap().optional(),
      /** The host names requests may be for, without ports; any when left out, unless HOST is loopback's. */
      ALLOWED_HOSTS: list()
        .refine((names) => names.every((name) => hostnameOf(name) !== ''), 'must be names of hosts')
        .optional(),
      /** How long it still takes requests once it is to end: the time a load balancer needs to see that it is not ready. */
      DRAIN_MS: integerFrom(0, 1_000, 60_000),
      /** How often an event stream says that it is still there. */
      SSE_HEARTBEAT_MS: durationMs(15_000),
      /** How long a client of an event stream may take nothing of it. */
      SSE_STALL_MS: durationMs(30_000),
      BODY_LIMIT_BYTES: integerFrom(1_024, 8 * 1024 * 1024),
      /** Of one version of an artifact, sent or read as a stream. */
      ARTIFACT_LIMIT_BYTES: integerFrom(1_024, 1024 * 1024 * 1024),
      AUTH_MODE: z.enum(['none'], 'must be none').default('none'),
      ALLOW_UNAUTHENTICATED: booleanText(false),
    })
    .refine(({ HOST, ALLOW_UNAUTHENTICATED }) => isLoopback(HOST) || ALLOW_UNAUTHENTICATED, {
      path: ['HOST'],
      // Also when another variable is wrong, so that the list of what is wrong is whole.
      when: ({ value }) => addressSchema.safeParse(value).success,
      message:
        'with AUTH_MODE=none everyone who reaches this address could run agents and read every session; ' +
        'use 127.0.0.1, or set ALLOW_UNAUTHENTICATED=true if that is meant',
    }),
);
export type GatewayConfig = z.output<typeof gatewayConfig>;
