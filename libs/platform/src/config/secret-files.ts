import { readFileSync } from 'node:fs';
import type { ConfigProblem } from './load-config';
import { presentVariables } from './present-variables';
import { mayComeInFile } from './secrets';

/** An environment in which secrets have their values, and what was wrong with the files they were to come from. */
export interface WithSecrets {
  readonly environment: NodeJS.ProcessEnv;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads the files that variables ending in `_FILE` name, as an orchestrator mounts secrets, without the line end an editor
 * leaves. Whoever lists the environment of a process, or inherits it, finds paths there and no secret.
 * @param wanted names of variables; files of others are left alone, since a process that has no use for a secret need not
 * hold it.
 */
export function withSecretFiles(environment: NodeJS.ProcessEnv, wanted: readonly string[]): WithSecrets {
  const present = presentVariables(environment);
  const problems: ConfigProblem[] = [];
  const values: Record<string, string> = {};
  for (const name of wanted.filter(mayComeInFile)) {
    const file = present[`${name}_FILE`];
    if (file === undefined) continue;
    const read =
      present[name] === undefined ? readSecret(file) : { reason: `is set beside ${name}: unset one` };
    if ('value' in read) values[name] = read.value;
    else problems.push({ name: `${name}_FILE`, reason: read.reason });
  }
  return { environment: { ...present, ...values }, problems };
}

function readSecret(file: string): { readonly value: string } | { readonly reason: string } {
  try {
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return value === '' ? { reason: 'names an empty file' } : { value };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException; // Node's file functions throw nothing else.
    return { reason: `names a file that cannot be read: ${code}` };
  }
}
