import { existsSync } from 'node:fs';
import path from 'node:path';
import { SourceError } from './session-source';

export type SourceAddress =
  | { readonly kind: 'postgres'; readonly url: string; readonly name: string }
  | { readonly kind: 'sqlite'; readonly file: string };

const SCHEME = /^([a-z][a-z0-9]+)(?:\+[a-z0-9_]+)?:(\/\/)?(.*)$/is;

/**
 * Reads what `--from` names: a URL as adk-python (SQLAlchemy, with or without a driver) or adk-js take it, or the path of
 * a SQLite file. No message holds a password.
 */
export function parseSourceAddress(from: string): SourceAddress {
  if (existsSync(from)) return { kind: 'sqlite', file: path.resolve(from) };
  const [, scheme = '', slashes = '', rest = ''] = SCHEME.exec(from) ?? [];
  switch (scheme.toLowerCase()) {
    case 'postgres':
    case 'postgresql':
      return postgresAddress(slashes === '' ? undefined : `postgresql://${rest}`);
    case 'sqlite':
      return { kind: 'sqlite', file: sqliteFile(rest) };
    case '':
      if (from.includes('://')) throw new SourceError('--from is neither a URL nor a path.');
      return { kind: 'sqlite', file: existing([from], from) };
    case 'mysql':
    case 'mariadb':
      throw new SourceError(
        'MySQL and MariaDB are not read. Copy the database into PostgreSQL first, for instance with ' +
          'pgloader, and import it from there (docs/how-to/import-sessions.md).',
      );
    default:
      throw new SourceError(
        `${scheme}: is not read: --from takes postgresql://…, sqlite://… or the path of a SQLite file, and there is ` +
          'no such file. Copy another database into one of these first (docs/how-to/import-sessions.md).',
      );
  }
}

function postgresAddress(url: string | undefined): SourceAddress {
  if (url === undefined || !URL.canParse(url)) {
    throw new SourceError(
      '--from is no valid postgresql:// URL: postgresql://user:password@host:port/database.',
    );
  }
  const { host, pathname, search, hash, searchParams } = new URL(url);
  // Cut short by a sign of its own, a password's rest would be taken for the name of a database and shown.
  if (pathname.includes('@') || search.includes('@') || hash !== '') {
    throw new SourceError(
      "--from is no valid postgresql:// URL: '/', '?', '#' and '@' in a user or password have to be percent-encoded, " +
        "and '@' in a parameter.",
    );
  }
  const schema = searchParams.get('options');
  // Which tables are meant is part of what it is; how it is reached is not.
  return {
    kind: 'postgres',
    url,
    name: `postgresql://${host.replace(/:5432$/, '')}${pathname}${schema === null ? '' : ` (${schema})`}`,
  };
}

/** `sqlite:///a/b.db` is `a/b.db` for SQLAlchemy and `/a/b.db` for adk-js: the one that is there. */
function sqliteFile(rest: string): string {
  const plain = decoded(rest.replace(/\?.*$/s, ''));
  if (plain === '' || plain.endsWith(':memory:')) {
    throw new SourceError('--from names no file: a database in memory is gone with its process.');
  }
  return existing(plain.startsWith('/') ? [plain.slice(1), plain] : [plain], plain);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new SourceError(
      "--from is no valid sqlite:// URL: a '%' in a sqlite:// URL has to be written %25; or give the path itself.",
      { cause: error },
    );
  }
}

function existing(candidates: readonly string[], named: string): string {
  const found = [...new Set(candidates.map((file) => path.resolve(file)))].filter((file) => existsSync(file));
  const [file] = found;
  if (found.length > 1) {
    throw new SourceError(`--from may mean ${found.join(' or ')}: give the path itself, without sqlite://.`);
  }
  if (file === undefined) throw new SourceError(`There is no file ${shown(named)}.`);
  return file;
}

/** A path as it is; what may be a URL that lost its beginning, without what may be a password. */
function shown(named: string): string {
  return named.includes('@') ? `…${named.slice(named.lastIndexOf('@'))} (no such file)` : named;
}
