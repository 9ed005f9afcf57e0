import { STORE_SECRETS } from './secrets';

/** A path, by the variable's own name. */
const FILES = ['NATS_CREDS', ...STORE_SECRETS.map((name) => `${name}_FILE`)];

/**
 * Takes what opens the stores and the bus out of the environment, once the configuration is read, and the paths of the files
 * it came in: an author's tool runs in the same process, and so do the programs it starts. It is no wall against a hostile
 * one, which reads the same files under the same user.
 */
export function forgetSecrets(environment: NodeJS.ProcessEnv = process.env): void {
  for (const name of [...STORE_SECRETS, ...FILES]) Reflect.deleteProperty(environment, name);
}
