import { z } from 'zod';
import { durationMs, integerFrom } from './fields';

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
  /** A message body above it travels by reference. NATS itself refuses more than 1 MiB. */
  PAYLOAD_LIMIT_BYTES: integerFrom(1_024, 262_144).refine(
    (bytes) => bytes <= 1_000_000,
    'must be at most 1000000: NATS carries no more in one message',
  ),
  /** What SIGTERM is followed by SIGKILL after: the steps of the end keep within it. */
  SHUTDOWN_GRACE_MS: durationMs(30_000),
  /** What the stack calls this process, as `runner-2`; the service's own name without it. */
  SKEIN_PROCESS_NAME: z.string().optional(),
};

export type CommonConfig = z.output<z.ZodObject<typeof commonEnv>>;
