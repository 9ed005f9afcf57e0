import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify, types } from 'node:util';
import { giveTo, type PostgresAccount } from './postgres-account';
import { hasCluster } from './postgres-directory';
import { errorMessage } from './read-error';

const run = promisify(execFile);
const passwordFile = 'skein-password';

/** PostgreSQL reads many PG* variables; of ours it must see none. */
export const postgresEnvironment = { LC_ALL: 'C', TZ: 'UTC' } as const;

/**
 * Makes the cluster unless it is there, and returns the password of its superuser. The password is random and
 * kept inside the cluster: on a shared machine every local user can reach the port.
 */
export async function ensureCluster(
  directory: string,
  initdb: string,
  account: PostgresAccount,
): Promise<string> {
  if (!hasCluster(directory)) await makeCluster(directory, initdb, account);
  return readFileSync(path.join(directory, passwordFile), 'utf8').trim();
}

/** Made beside its place and renamed, so that an initdb cut short leaves nothing that looks like a cluster. */
async function makeCluster(directory: string, initdb: string, account: PostgresAccount): Promise<void> {
  const unfinished = `${directory}.new`;
  const password = path.join(unfinished, passwordFile);
  const passwordSource = `${unfinished}-password`;
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordSource, { force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordSource, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' });
  giveTo(account, unfinished);
  giveTo(account, passwordSource);
  try {
    await runInitdb(initdb, ['-D', unfinished, '--pwfile', passwordSource], account);
    renameSync(passwordSource, password);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordSource, { force: true });
  }
  renameSync(unfinished, directory);
}

async function runInitdb(initdb: string, args: readonly string[], account: PostgresAccount): Promise<void> {
  const fixed = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--no-instructions',
  ];
  try {
    await run(initdb, [...args, ...fixed], { ...account, cwd: '/', env: postgresEnvironment });
  } catch (error) {
    const stderr =
      types.isNativeError(error) && 'stderr' in error ? String(error.stderr).trim() : errorMessage(error);
    throw new Error(`PostgreSQL could not make its data folder: ${stderr}`, { cause: error });
  }
}
