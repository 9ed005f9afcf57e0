import { AdkError } from '@skein/contracts';
import { z } from 'zod';
import { withSecretFiles } from './secret-files';

/** One variable that is wrong. Its value is left out: it may be a secret. */
export interface ConfigProblem {
  readonly name: string;
  readonly reason: string;
}

/** Stops the boot; names every wrong variable, so that nobody finds them one start at a time. */
export class ConfigError extends AdkError {
  constructor(readonly problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ name, reason }) => `  ${name}: ${reason}`);
    super('invalid', 'config.invalid', `the configuration is wrong:\n${lines.join('\n')}`, {
      details: problems,
    });
  }
}

/**
 * Reads the environment through a schema whose keys are its names, and throws a ConfigError when it does not fit. A secret
 * may come in a file: `DATABASE_URL_FILE` for `DATABASE_URL`.
 */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv = process.env,
): z.output<Schema> {
  const secrets = withSecretFiles(environment, namesIn(schema));
  const parsed = schema.safeParse(secrets.environment);
  if (parsed.success && secrets.problems.length === 0) return parsed.data;
  const problems = [...secrets.problems, ...(parsed.error?.issues ?? []).map(toProblem)];
  throw new ConfigError(problems.filter((one) => !isSaidOfItsFile(one, secrets.problems)));
}

/** The variables a schema reads; what is made of them may be of any shape. */
function namesIn(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodPipe) return schema.in instanceof z.ZodType ? namesIn(schema.in) : [];
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** That a variable is not set is no news where its file is wrong. */
function isSaidOfItsFile({ name }: ConfigProblem, ofFiles: readonly ConfigProblem[]): boolean {
  return ofFiles.some((one) => one.name === `${name}_FILE`);
}

/** Of one entry of a list it is the list's variable that is wrong. */
function toProblem({ path: [name], message, code }: z.core.$ZodIssue): ConfigProblem {
  const isAbsent = code === 'invalid_type' && message.endsWith('received undefined');
  return { name: String(name), reason: isAbsent ? 'must be set' : message };
}
