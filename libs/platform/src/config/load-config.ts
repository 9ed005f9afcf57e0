import { AdkError } from '@skein/contracts';
import type { z } from 'zod';
import { presentVariables } from './present-variables';

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

/** Reads the environment through a schema whose keys are its names, and throws a ConfigError when it does not fit. */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv = process.env,
): z.output<Schema> {
  const parsed = schema.safeParse(presentVariables(environment));
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map(toProblem));
}

function toProblem({ path, message, code }: z.core.$ZodIssue): ConfigProblem {
  const isAbsent = code === 'invalid_type' && message.endsWith('received undefined');
  return { name: path.join('.'), reason: isAbsent ? 'must be set' : message };
}
