import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { canEnter, type PostgresAccount } from './postgres-account';
import { postgresShelter } from './postgres-shelter';

/**
 * Where the cluster of a DATA_DIR lives: DATA_DIR/postgres, or, when the account cannot get there, a folder in
 * the shelter keyed by DATA_DIR's path, with DATA_DIR/postgres as a link to it. The link is the owner: whoever
 * removes DATA_DIR has thrown the data away, so a cluster left in the shelter without a link is removed too.
 */
export function postgresDirectory(dataDir: string, account: PostgresAccount): string {
  const wanted = path.join(dataDir, 'postgres');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink()) return readlinkSync(wanted);
  if ('uid' in account) letOthersPass(dataDir);
  if (canEnter(account, dataDir)) return wanted;
  const sheltered = path.join(
    postgresShelter(),
    `data-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`,
  );
  rmSync(sheltered, { recursive: true, force: true });
  symlinkSync(sheltered, wanted);
  return sheltered;
}

/** Removes the cluster wherever it lives. */
export function removePostgresDirectory(dataDir: string): void {
  const wanted = path.join(dataDir, 'postgres');
  if (lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(readlinkSync(wanted), { recursive: true, force: true });
  }
  rmSync(wanted, { recursive: true, force: true });
}

/** Whether initdb has finished there once. */
export function hasCluster(directory: string): boolean {
  return existsSync(path.join(directory, 'PG_VERSION'));
}

/** DATA_DIR is ours, so it may get the one bit that lets the account through; nobody can list it by that. */
function letOthersPass(dataDir: string): void {
  const { mode } = statSync(dataDir);
  if ((mode & 0o001) === 0) chmodSync(dataDir, (mode & 0o7777) | 0o001);
}
