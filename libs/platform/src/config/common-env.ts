import { z } from 'zod';
import { durationMs, integerFrom, serverUrl } from './fields';

/** What every app reads; spread into its own schema. */
export const commonEnv = {
  NATS_URL: z
    .string()
    .regex(
      /^((nats|tls):\/\/)?[^\s/,]+(,((nats|tls):\/\/)?[^\s/,]+)*\/?$/,
      'must be a nats:// URL, or several with commas between them',
    )
    .default('nats://127.0.0.1:4222'),
  /** Path of a NATS credentials file. */
  NATS_CREDS: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes a free port and reports it. */
  HEALTH_PORT: integerFrom(0, 0, 65_535),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty'], 'must be json or pretty').default('json'),
  AGENTS_DIR: z.string().default('examples/agents'),
  DATA_DIR: z.string().default('.skein'),
  /** Where artifacts are kept; under DATA_DIR without it. */
  S3_ENDPOINT: serverUrl('http', 'https').optional(),
  /** The same server as clients reach it: links to artifacts lead there. */
  S3_PUBLIC_ENDPOINT: serverUrl('http', 'https').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  /** Made at the start where it is missing. */
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'must have 3 to 63 lower-case letters, digits and hyphens')
    .default('skein'),
  /** A message body above it travels by reference. NATS itself refuses more than 1 MiB: the rest is for its headers. */
  PAYLOAD_LIMIT_BYTES: integerFrom(1_024, 262_144, 1_000_000),
  /** What SIGTERM is followed by SIGKILL after: the steps of the end keep within it. */
  SHUTDOWN_GRACE_MS: durationMs(30_000),
  /** What the stack calls this process, as `runner-2`; the service's own name without it. */
  SKEIN_PROCESS_NAME: z.string().optional(),
};

/** What spans several variables of `commonEnv`; each app's schema passes through here. */
export function withCommonRules<Schema extends z.ZodType<S3Keys>>(schema: Schema): Schema {
  return (['S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const).reduce(
    (ruled, name) =>
      ruled.refine((config) => config.S3_ENDPOINT === undefined || config[name] !== undefined, {
        path: [name],
        // Also when another variable is wrong, so that the list of what is wrong is whole.
        when: () => true,
        message: 'must be set where S3_ENDPOINT is',
      }),
    schema,
  );
}

interface S3Keys {
  readonly S3_ENDPOINT?: string | undefined;
  readonly S3_ACCESS_KEY?: string | undefined;
  readonly S3_SECRET_KEY?: string | undefined;
}

export type CommonConfig = z.output<z.ZodObject<typeof commonEnv>>;
