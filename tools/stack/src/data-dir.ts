import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removePostgresDirectory } from './postgres-directory';

const marker = '.skein-data-dir';
/** What the apps and NATS keep; closed to others, as DATA_DIR itself may have to let PostgreSQL's account pass. */
const privateFolders = ['nats', 'objects', 'payloads', 'reads'];
const ours = ['postgres', ...privateFolders, 'secret', 'nats.conf'];

/**
 * Makes DATA_DIR, or takes an existing folder. A folder without our mark that already holds one of our names
 * belongs to somebody else: its "objects" must neither be mixed with ours nor wiped by --fresh.
 */
export function prepareDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  if (existsSync(path.join(dataDir, marker))) return;
  const foreign = ours.filter((name) => existsSync(path.join(dataDir, name)));
  if (foreign.length > 0) {
    throw new Error(
      `DATA_DIR ${dataDir} holds ${foreign.join(', ')} not made by Skein: choose another folder`,
    );
  }
  writeFileSync(path.join(dataDir, marker), 'Skein keeps the data of one embedded stack here.\n');
  makePrivateFolders(dataDir);
}

/** Removes the data of a prepared DATA_DIR, and nothing else that may lie there. */
export function wipeDataDir(dataDir: string): void {
  removePostgresDirectory(dataDir);
  for (const name of ours) rmSync(path.join(dataDir, name), { recursive: true, force: true });
  makePrivateFolders(dataDir);
}

function makePrivateFolders(dataDir: string): void {
  for (const name of privateFolders) mkdirSync(path.join(dataDir, name), { recursive: true, mode: 0o700 });
}

/** The key that signs tickets: random, made once, so that tickets in flight outlive a restart. */
export function readOrCreateSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
}
