import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { builtEntries } from '@skein/stack';
import { type Client, type Pool } from 'pg';

const entry = builtEntries().migrate.replace(/migrate\.js$/, 'import.js');
// As the importer has it: by name.
const sqlite = createRequire(__filename)('node-sqlite3-wasm') as {
  readonly Database: new (file: string) => { exec(sql: string): void; close(): void };
};
const fixtures = path.join(__dirname, '..', '..', 'libs', 'session-sources', 'src', '__fixtures__');

export interface Imported {
  readonly code: number | null;
  readonly output: string;
}

export interface ImportCommand {
  readonly databaseUrl?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly nodeArguments?: readonly string[];
  /** Kills it without a warning once it said so. */
  readonly killAt?: RegExp;
  /** What is done then instead. */
  readonly kill?: () => void;
}

/** `skein import`, as a process of its own. */
export async function runImportCommand(
  args: readonly string[],
  { databaseUrl, environment: more = {}, nodeArguments = [], killAt, kill }: ImportCommand = {},
): Promise<Imported> {
  // Where no stack runs.
  const environment = { ...process.env, DATABASE_URL: undefined, DATA_DIR: fixtures, ...more };
  const child = spawn(process.execPath, [...nodeArguments, entry, ...args], {
    env: { ...environment, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let isKilled = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (isKilled || killAt?.test(output) !== true) return;
      isKilled = true;
      if (kill) kill();
      else child.kill('SIGKILL');
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { code, output };
}

export function fixture(name: string): string {
  return readFileSync(path.join(fixtures, `${name}.sql`), 'utf8');
}

/** A database beside the one of the pool, filled by SQL; answers its URL. */
export async function makePostgresSource(
  pool: Pool | Client,
  url: string,
  name: string,
  sql: string,
): Promise<string> {
  await pool.query(`CREATE DATABASE ${name}`);
  const source = new URL(url);
  source.pathname = `/${name}`;
  await inDatabase(source.href, sql);
  return source.href;
}

export async function inDatabase(url: string, sql: string): Promise<void> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** A SQLite file made of SQL, in the place of an earlier one. */
export function makeSqliteSource(file: string, ...statements: readonly string[]): string {
  rmSync(file, { force: true });
  changeSqliteSource(file, ...statements);
  return file;
}

/** Writes to a SQLite file, as whoever still uses it would. */
export function changeSqliteSource(file: string, ...statements: readonly string[]): void {
  const database = new sqlite.Database(file);
  for (const sql of statements) database.exec(sql);
  database.close();
}

/** Sessions of the user ada in adk-js' tables, each of as many events. */
export function moreSessions(app: string, sessions: number, events: number, bytes = 10): string {
  return `
    INSERT INTO sessions
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sessions})
      SELECT 'more-' || i, '${app}', 'ada', '{}', 1000, 2000 FROM n;
    INSERT INTO events
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sessions}),
                     m(j) AS (SELECT 1 UNION ALL SELECT j + 1 FROM m WHERE j < ${events})
      SELECT 'event-' || j, '${app}', 'ada', 'more-' || i, 'e-1', j,
             json_object('author', 'user', 'timestamp', j,
                         'content', json_object('parts', json_array(json_object('text', hex(zeroblob(${bytes / 2}))))))
        FROM n, m;`;
}

export function anEvent(id: string, session: string, data: string): string {
  return `INSERT INTO events VALUES ('${id}', 'helper', 'ada', '${session}', 'e-1', 9999, '${data}');`;
}

/** Sessions, events, and sessions whose events are not numbered 1 to their count. */
export const DENSE = `
  SELECT count(*)::int AS sessions, sum(s.last_seq)::int AS events,
         count(*) FILTER (WHERE s.last_seq <> n.events OR n.last <> n.events)::int AS odd
    FROM adk_sessions s,
         LATERAL (SELECT count(*) AS events, coalesce(max(e.seq), 0) AS last FROM adk_events e
                   WHERE e.app_name = s.app_name AND e.user_id = s.user_id AND e.session_id = s.id) n`;
