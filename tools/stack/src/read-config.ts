import { ConfigError, loadConfig, type ConfigProblem } from '@skein/platform';
import type { z } from 'zod';

export interface ConfigReading<Config> {
  /** Undefined when there are problems. */
  readonly config: Config | undefined;
  readonly problems: readonly ConfigProblem[];
}

/** As loadConfig, for a caller that gathers the problems of several schemas. */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): ConfigReading<z.output<Schema>> {
  try {
    return { config: loadConfig(schema, env), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { config: undefined, problems: error.problems };
    throw error;
  }
}
