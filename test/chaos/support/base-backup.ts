import { execFileSync } from 'node:child_process';
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withDatabase } from './database';
import { type Fleet } from './fleet';

/** A copy of a whole cluster, made while it was at work. */
export interface BaseBackup {
  readonly folder: string;
  /** Where the cluster lies that it is a copy of. */
  readonly cluster: string;
}

/**
 * Copies the files of a running PostgreSQL as its manual says for backups by hand: no client is needed whose version would
 * have to match the server's. What was committed until now is in it.
 */
export function backUp(fleet: Fleet, folder: string): Promise<BaseBackup> {
  return withDatabase(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const cluster = rows[0]?.data_directory ?? '';
    await client.query(`SELECT pg_backup_start('test', true)`);
    copyFiles(cluster, folder);
    const stopped = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    // What was written while the files were copied is in the log of then.
    copyFiles(path.join(cluster, 'pg_wal'), path.join(folder, 'pg_wal'));
    const label = path.join(folder, 'backup_label');
    writeFileSync(label, stopped.rows[0]?.labelfile ?? '');
    // The server may run under another account than the test.
    const { uid, gid } = statSync(cluster);
    chownSync(label, uid, gid);
    rmSync(path.join(folder, 'postmaster.pid'), { force: true });
    return { folder, cluster };
  });
}

/** Puts the copy in the place of the cluster; nothing may run on it. */
export function restore({ folder, cluster }: BaseBackup): void {
  rmSync(cluster, { recursive: true, force: true });
  copyFiles(folder, cluster);
}

/** With owners and permissions; files that vanish meanwhile are those the manual says may. */
function copyFiles(from: string, to: string): void {
  try {
    execFileSync('cp', ['-a', '-T', from, to], { stdio: 'pipe' });
  } catch (error) {
    if (!String(error).includes('No such file')) throw error;
  }
}
