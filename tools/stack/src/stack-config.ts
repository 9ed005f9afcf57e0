import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { repositoryRoot } from './repository-root';
import { errorMessage } from './read-error';

const count = (fallback: number) => z.coerce.number().int().min(1).max(64).default(fallback);

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  HOST: z.string().default('127.0.0.1'),
  AGENTS_DIR: z.string().default(() => path.join(repositoryRoot(), 'examples', 'agents')),
  DATA_DIR: z.string().default('.skein'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' }).optional(),
  NATS_URL: z
    .string()
    .regex(
      /^(((nats|tls|wss?):\/\/)?[^\s/,]+\/?(,|$))+$/,
      'must be a nats:// URL, or several with commas between them',
    )
    .optional(),
  RUNNERS: count(2),
  TOOL_WORKERS: count(2),
});

/** What the launcher itself needs to know; everything else in the environment is checked by the app it is for. */
export interface StackConfig {
  readonly port: number | undefined;
  readonly host: string;
  readonly agentsDir: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly natsUrl: string | undefined;
  readonly runners: number;
  readonly toolWorkers: number;
  readonly isFresh: boolean;
  /** The whole environment, handed on to the apps. */
  readonly inherited: NodeJS.ProcessEnv;
}

/** Wrong values, all of them, one a line. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `Skein cannot start with this configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  }
}

export function readStackConfig(args: readonly string[], env: NodeJS.ProcessEnv = process.env): StackConfig {
  const problems: string[] = [];
  const isFresh = readFreshFlag(args, problems);
  const parsed = environment.safeParse(withoutEmpty(env));
  if (!parsed.success) {
    problems.push(...parsed.error.issues.map(({ path: [name], message }) => `${String(name)}: ${message}`));
    throw new ConfigError(problems);
  }
  const values = parsed.data;
  const agentsDir = path.resolve(values.AGENTS_DIR);
  if (!existsSync(agentsDir)) problems.push(`AGENTS_DIR: there is no folder ${agentsDir}`);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    port: values.PORT,
    host: values.HOST,
    agentsDir,
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    natsUrl: values.NATS_URL,
    runners: values.RUNNERS,
    toolWorkers: values.TOOL_WORKERS,
    isFresh,
    inherited: env,
  };
}

export interface BinaryLocations {
  readonly natsServerBin: string | undefined;
  readonly searchPath: string;
}

/** Read apart from the rest: tests start the embedded servers without a stack. */
export function readBinaryLocations(env: NodeJS.ProcessEnv = process.env): BinaryLocations {
  const { NATS_SERVER_BIN: natsServerBin, PATH: searchPath = '' } = withoutEmpty(env);
  return { natsServerBin, searchPath };
}

function readFreshFlag(args: readonly string[], problems: string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { fresh: { type: 'boolean', default: false } } }).values
      .fresh;
  } catch (error) {
    problems.push(errorMessage(error));
    return false;
  }
}

/** `PORT= npm start` means no PORT, not port zero. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
