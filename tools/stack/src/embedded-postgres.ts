import path from 'node:path';
import { Client } from 'pg';
import { onFreePort } from './free-port';
import { startGuardedProcess, type RunningProcess } from './guarded-process';
import { postgresAccount } from './postgres-account';
import { postgresBinaries } from './postgres-binaries';
import { ensureCluster, postgresEnvironment } from './postgres-cluster';
import { postgresDirectory } from './postgres-directory';
import { waitForPreviousServer } from './previous-server';
import type { LineSink } from './split-lines';
import { untilReady } from './until-ready';
import { errorCode } from './read-error';

export interface EmbeddedPostgresOptions {
  /** The cluster lives in `<dataDir>/postgres`; a second start on it goes on with its data. */
  readonly dataDir: string;
  /** A free one when left out. A restart passes the port of the first start, so that clients find it again. */
  readonly port?: number | undefined;
  readonly onLine?: LineSink;
  readonly signal?: AbortSignal;
  readonly readyTimeoutMs?: number;
}

export interface EmbeddedPostgres extends RunningProcess {
  readonly url: string;
  readonly port: number;
}

/** Starts PostgreSQL on 127.0.0.1 and returns once the database `skein` answers a query. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = postgresAccount();
  const binaries = postgresBinaries(account);
  const directory = postgresDirectory(path.resolve(options.dataDir), account);
  const password = await ensureCluster(directory, binaries.initdb, account);
  await waitForPreviousServer({
    pidFile: path.join(directory, 'postmaster.pid'),
    mark: directory,
    signal: options.signal,
  });
  const server = await onFreePort(options.port, async (port) => {
    options.signal?.throwIfAborted();
    const started = await startGuardedProcess({
      command: binaries.postgres,
      args: serverArguments(directory, port),
      options: { ...account, cwd: '/', env: postgresEnvironment },
      stopSignal: 'SIGINT', // "Fast": open connections are ended. SIGTERM would wait for every client to leave.
      onLine: options.onLine ?? (() => undefined),
    });
    return untilReady(
      { ...started, port },
      {
        name: 'PostgreSQL',
        // "Ready" in the log is not enough: another server may hold the port. Only ours knows the password.
        ask: () => createDatabase(urlOf(port, password, 'postgres')),
        deadlineMs: options.readyTimeoutMs ?? 60_000,
        signal: options.signal,
      },
    );
  });
  return { ...server, url: urlOf(server.port, password, 'skein') };
}

/** fsync and full_page_writes stay on: an acknowledged event must survive a power cut. */
function serverArguments(directory: string, port: number): readonly string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    log_checkpoints: 'off',
    // A statement or a DETAIL holds what users wrote, which does not belong into a log.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
  return [
    '-D',
    directory,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function urlOf(port: number, password: string, database: string): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** True once the database exists; undefined while nothing, or nothing we understand, answers there. */
async function createDatabase(adminUrl: string): Promise<true | undefined> {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // The query that fails because of it carries the same error.
  try {
    await client.connect();
  } catch (error) {
    // Class 28: it runs and does not know our password, which time will not change.
    if (errorCode(error)?.startsWith('28')) throw error;
    return undefined;
  }
  try {
    const { rowCount } = await client.query(`select 1 from pg_database where datname = 'skein'`);
    if (rowCount === 0) await client.query('create database skein');
    return true;
  } finally {
    await client.end();
  }
}
