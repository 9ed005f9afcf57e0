import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, integerFrom, type ConfigProblem } from '@skein/platform';
import { z } from 'zod';
import { appConfigProblems } from './app-config';
import { readConfig } from './read-config';
import { repositoryRoot } from './repository-root';
import { errorMessage } from './read-error';

/** The rules of the apps come on top: what is here is what the launcher alone has to know. */
const launcherConfig = z.object({
  PORT: integerFrom(0, 0, 65_535).unwrap().optional(),
  HOST: z.string().default('127.0.0.1'),
  AGENTS_DIR: z
    .string()
    .default(() => path.join(repositoryRoot(), 'examples', 'agents'))
    .transform((folder) => path.resolve(folder))
    .refine(existsSync, { error: ({ input }) => `there is no folder ${String(input)}` })
    .refine(isFolder, { error: ({ input }) => `${String(input)} is not a folder` }),
  DATA_DIR: z
    .string()
    .default('.skein')
    .transform((folder) => path.resolve(folder))
    .superRefine((folder, context) => {
      const existing = nearestExisting(folder);
      if (!isFolder(existing)) context.addIssue(`${existing} is not a folder`);
    }),
  /** Each process of a stack gets a free one; a wrong value is a mistake all the same. */
  HEALTH_PORT: integerFrom(0, 0, 65_535),
  DATABASE_URL: z.string().optional(),
  NATS_URL: z.string().optional(),
  RUNNERS: integerFrom(1, 2, 64),
  TOOL_WORKERS: integerFrom(1, 2, 64),
});

/** What the launcher itself needs to know. */
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

/**
 * Reads the launcher's variables and checks everybody's. Throws one ConfigError with all that is wrong, the `found`
 * problems included, one for each variable.
 */
export function readStackConfig(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  found: readonly ConfigProblem[] = [],
): StackConfig {
  const flags = readFlags(args);
  const launcher = readConfig(launcherConfig, env);
  const problems = [
    ...flags.problems,
    ...found,
    ...launcher.problems,
    ...appConfigProblems(withoutEmpty(env)),
  ];
  if (problems.length > 0 || launcher.config === undefined) throw new ConfigError(firstOfEach(problems));
  const values = launcher.config;
  return {
    port: values.PORT,
    host: values.HOST,
    agentsDir: values.AGENTS_DIR,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    natsUrl: values.NATS_URL,
    runners: values.RUNNERS,
    toolWorkers: values.TOOL_WORKERS,
    isFresh: flags.isFresh,
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

function readFlags(args: readonly string[]): { isFresh: boolean; problems: readonly ConfigProblem[] } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { fresh: { type: 'boolean', default: false } },
    });
    return { isFresh: values.fresh, problems: [] };
  } catch (error) {
    return { isFresh: false, problems: [{ name: 'arguments', reason: errorMessage(error) }] };
  }
}

/** Several apps read the same variable and say the same of it. */
function firstOfEach(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.filter(({ name }, index) => problems.findIndex((other) => other.name === name) === index);
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The path itself, or the folder in which what is missing of it would be made. */
function nearestExisting(file: string): string {
  return existsSync(file) || path.dirname(file) === file ? file : nearestExisting(path.dirname(file));
}

/** `PORT= npm start` means no PORT, not port zero. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
