import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { canEnter, type PostgresAccount } from './postgres-account';
import { postgresShelter } from './postgres-shelter';

const ownerSuffix = '.owner';

/**
 * Where the cluster of a DATA_DIR lives: DATA_DIR/postgres, or, when the account cannot get there, a folder in
 * the shelter keyed by DATA_DIR's path, with DATA_DIR/postgres as a link to it. The link is the owner: whoever
 * removes DATA_DIR has thrown the data away, so a cluster left in the shelter without a link is removed too.
 */
export function postgresDirectory(dataDir: string, account: PostgresAccount): string {
  const wanted = path.join(dataDir, 'postgres');
  mkdirSync(dataDir, { recursive: true });
  if (lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink()) return readlinkSync(wanted);
  if ('uid' in account) letOthersPass(dataDir);
  if (canEnter(account, dataDir)) return wanted;
  return shelter(wanted);
}

function shelter(wanted: string): string {
  const folder = postgresShelter();
  removeAbandoned(folder);
  const name = `data-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`;
  const sheltered = path.join(folder, name);
  rmSync(sheltered, { recursive: true, force: true });
  symlinkSync(sheltered, wanted);
  writeFileSync(`${sheltered}${ownerSuffix}`, wanted);
  return sheltered;
}

/**
 * Tests throw their DATA_DIR away without asking us. Only what belonged under the temporary folder is taken for
 * abandoned: anywhere else a missing link may be a disk that is not mounted.
 */
function removeAbandoned(folder: string): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(ownerSuffix))) {
    const wanted = readFileSync(path.join(folder, file), 'utf8');
    const isTemporary = wanted.startsWith(`${os.tmpdir()}${path.sep}`);
    if (!isTemporary || lstatSync(wanted, { throwIfNoEntry: false }) !== undefined) continue;
    rmSync(path.join(folder, file.slice(0, -ownerSuffix.length)), { recursive: true, force: true });
    rmSync(path.join(folder, file), { force: true });
  }
}

/** Removes the cluster wherever it lives. */
export function removePostgresDirectory(dataDir: string): void {
  const wanted = path.join(dataDir, 'postgres');
  if (lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const sheltered = readlinkSync(wanted);
    rmSync(sheltered, { recursive: true, force: true });
    rmSync(`${sheltered}${ownerSuffix}`, { force: true });
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
