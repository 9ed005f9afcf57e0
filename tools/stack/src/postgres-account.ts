import { spawnSync } from 'node:child_process';
import { chownSync, readFileSync } from 'node:fs';

/** The account PostgreSQL runs under: it refuses to run as root. Empty means: our own. */
export type PostgresAccount = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** Ourselves, or, for root, the account made for PostgreSQL, else the one that owns nothing. */
export function postgresAccount(): PostgresAccount {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL does not run as root and there is no account "postgres" or "nobody" to run it under: ' +
      'start Skein as an ordinary user, or set DATABASE_URL',
  );
}

export function giveTo(account: PostgresAccount, file: string): void {
  if ('uid' in account) chownSync(file, account.uid, account.gid);
}

/** Whether the account can really enter the folder; asked by trying, as modes alone do not tell (ACLs, mounts). */
export function canEnter(account: PostgresAccount, directory: string): boolean {
  if (process.platform === 'win32') return true;
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account, cwd: '/', stdio: 'ignore' })
      .status === 0
  );
}

/** Whether the account can really run the program. */
export function canRun(account: PostgresAccount, program: string): boolean {
  return spawnSync(program, ['--version'], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}
