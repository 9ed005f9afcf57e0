/** Whoever has read them keeps them; nobody after that has a use for them. */
const SECRETS = ['DATABASE_URL', 'SKEIN_SECRET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];

/**
 * Takes what opens the stores out of the environment, once the configuration is read: an author's tool runs in the same
 * process, and so do the programs it starts. It is no wall against a hostile one.
 */
export function forgetSecrets(environment: NodeJS.ProcessEnv = process.env): void {
  for (const name of SECRETS) Reflect.deleteProperty(environment, name);
}
