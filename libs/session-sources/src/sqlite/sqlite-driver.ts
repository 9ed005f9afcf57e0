import { SourceError } from '../session-source';

export type SqliteValue = string | number | bigint | Uint8Array | null;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;
export type SqliteValues = SqliteValue[] | Record<string, SqliteValue>;

/** What is used of `node-sqlite3-wasm`. */
export interface SqliteDatabase {
  exec(sql: string): void;
  all(sql: string, values?: SqliteValues): SqliteRow[];
  prepare(sql: string): {
    iterate(values?: SqliteValues): IterableIterator<SqliteRow>;
    finalize(): void;
  };
  close(): void;
}

interface SqliteDriver {
  readonly Database: new (file: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase;
}

/** By name: an installation without it, of a service that never imports, is whole and compiles. */
const PACKAGE = 'node-sqlite3-wasm';

/** Loads the driver where a file is read; nothing else of Skein needs SQLite. */
export async function loadSqlite(): Promise<SqliteDriver> {
  try {
    return ((await import(PACKAGE)) as { readonly default: SqliteDriver }).default;
  } catch (error) {
    throw new SourceError(`SQLite files are read with ${PACKAGE}, which is not installed: npm ci.`, {
      cause: error,
    });
  }
}
