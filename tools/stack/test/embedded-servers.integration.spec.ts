import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedNats, startEmbeddedPostgres, type RunningProcess } from '@skein/stack';
import { Client } from 'pg';
import { eventually } from './eventually';

const repository = path.join(__dirname, '..', '..', '..');

/** Every test makes a cluster, some start it three times: on a busy machine that takes its time. */
jest.setTimeout(60_000);

/** Starts both servers from the build, as a test or the stack does, and reports their pids. */
const parentSource = `
const { startEmbeddedNats, startEmbeddedPostgres } = require(process.argv[1]);
const dataDir = process.argv[2];
Promise.all([startEmbeddedPostgres({ dataDir }), startEmbeddedNats({ dataDir })])
  .then((servers) => process.send(servers.map(({ pid }) => pid)));
`;

describe('the embedded servers', () => {
  let dataDir: string;
  const running: RunningProcess[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(path.join(os.tmpdir(), 'skein-servers-test-'));
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function postgres(options: { port?: number; dataDir?: string } = {}) {
    const server = await startEmbeddedPostgres({ dataDir, ...options });
    running.push(server);
    return server;
  }

  async function nats() {
    const server = await startEmbeddedNats({ dataDir });
    running.push(server);
    return server;
  }

  it('keeps what PostgreSQL acknowledged, over a stop and over a kill', async () => {
    const first = await postgres();
    await query(first.url, 'create table kept (what text)');
    await query(first.url, `insert into kept values ('before the stop')`);

    await first.stop();
    const second = await postgres();
    await query(second.url, `insert into kept values ('before the kill')`);
    process.kill(second.pid, 'SIGKILL');
    await second.exited;
    const third = await postgres();

    const rows = await query(third.url, 'select what from kept');
    expect(rows).toEqual([{ what: 'before the stop' }, { what: 'before the kill' }]);
    expect(await query(third.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  });

  it('lets nobody into PostgreSQL without its password', async () => {
    const { port } = await postgres();

    await expect(query(`postgresql://postgres@127.0.0.1:${port}/skein`, 'select 1')).rejects.toThrow(
      /password/,
    );
  });

  it('starts over a postmaster.pid that names a living process of somebody else', async () => {
    const first = await postgres();
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    writeFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${dataDir}/postgres\n`);

    const second = await postgres();

    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('begins anew when initdb was cut short', async () => {
    mkdirSync(path.join(dataDir, 'postgres.new'));
    writeFileSync(path.join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n');

    const server = await postgres();

    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('keeps PostgreSQL where its account gets to when DATA_DIR lies under a closed folder', async () => {
    chmodSync(dataDir, 0o700);
    const closed = path.join(dataDir, 'deep', '.skein');

    const first = await postgres({ dataDir: closed });
    await query(first.url, 'create table kept (what text)');
    await first.stop();
    const second = await postgres({ dataDir: closed });

    expect(await query(second.url, 'select * from kept')).toEqual([]);
    await second.stop();
    rmSync(realpathSync(path.join(closed, 'postgres')), { recursive: true });
  });

  it('tells why a server did not start', async () => {
    const { port } = await nats();

    await expect(startEmbeddedPostgres({ dataDir, port })).rejects.toThrow(
      /ended before it was ready[^]*in use/,
    );
  });

  it('does not outlive a parent that is killed', async () => {
    const parent = spawn(
      process.execPath,
      ['-e', parentSource, path.join(repository, 'dist/tools/stack/src'), dataDir],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    const [pids] = (await once(parent, 'message')) as [number[]];
    expect(pids.map(isRunning)).toEqual([true, true]);

    parent.kill('SIGKILL');

    await eventually('both servers gone', () => !pids.some(isRunning));
  });

  it('goes on with the streams of JetStream after a restart', async () => {
    const first = await nats();
    await first.stop();

    const second = await nats();

    expect(second.url).toMatch(/^nats:\/\/127\.0\.0\.1:\d+$/);
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
