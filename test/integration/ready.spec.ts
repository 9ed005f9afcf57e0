import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TcpProxy } from '@skein/testing';
import { type Servers, startServers } from '../support/servers';
import { Skein, writeAgents } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const AGENT = `
import { LlmAgent, ScriptedLlm } from '@skein/adk';

export const rootAgent = new LlmAgent({ name: 'greeter', model: new ScriptedLlm({ responses: [] }) });
`;

/** What a probe waits for at most, with time for a loaded machine. */
const ANSWER_MS = 3_000;

interface Readiness {
  readonly status: number;
  readonly body: { readonly status: string; readonly checks: Readonly<Record<string, string>> };
}

describe('/ready, with what a process depends on really away', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-ready-'));
  const agents = path.join(folder, 'agents');
  let servers: Servers;
  let postgres: TcpProxy;
  let nats: TcpProxy;
  let skein: Skein;

  beforeAll(async () => {
    writeAgents(agents, { greeter: AGENT });
    servers = await startServers();
    [postgres, nats] = await Promise.all([
      TcpProxy.before(servers.databaseUrl),
      TcpProxy.before(servers.natsUrl),
    ]);
    skein = await Skein.start({
      agents: {},
      env: {
        DATABASE_URL: postgres.through(servers.databaseUrl),
        NATS_URL: nats.through(servers.natsUrl),
        AGENTS_DIR: agents,
        // Nobody listens on port 1: the object store is away from the beginning, and no process waits for it.
        ...{ S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'a secret of the test' },
        ...{ RUNNERS: '1', TOOL_WORKERS: '1' },
      },
    });
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    await Promise.all([postgres?.close(), nats?.close()]);
    await servers?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  async function ask(app: string, question = '/ready'): Promise<Readiness> {
    const healthUrl = skein.processes().find((one) => one.app === app)?.healthUrl ?? '';
    const response = await fetch(healthUrl + question, { signal: AbortSignal.timeout(ANSWER_MS) });
    return { status: response.status, body: (await response.json()) as Readiness['body'] };
  }

  /** Asks until the app says so; each answer comes in time, or the question fails. */
  async function untilSaid(app: string, status: number, checks: Readiness['body']['checks']): Promise<void> {
    let last: Readiness | undefined;
    const isSaid = async (): Promise<boolean | undefined> => {
      last = await ask(app);
      const { body } = last;
      return (
        (last.status === status && Object.entries(checks).every(([name, is]) => body.checks[name] === is)) ||
        undefined
      );
    };
    await waitUntil(`${app} to answer ${status}`, isSaid).catch(() => undefined);
    expect(last).toMatchObject({ status, body: { checks } });
    expect(await ask(app, '/health')).toEqual({ status: 200, body: { status: 'ok' } });
  }

  const ALL = ['gateway', 'session-svc', 'runner', 'tool-worker'];

  it.each(ALL)('is 200 and says degraded without the object store: %s', async (app) => {
    await untilSaid(app, 200, { nats: 'up', jetstream: 'up', objects: 'down' });
    expect((await ask(app)).body.status).toBe('degraded');
  });

  it('is 503 where agents are needed while their folder is away', async () => {
    renameSync(agents, `${agents}-away`);
    for (const app of ['gateway', 'runner', 'tool-worker'])
      await untilSaid(app, 503, { agents: 'down', nats: 'up', jetstream: 'up' });

    renameSync(`${agents}-away`, agents);
    for (const app of ['gateway', 'runner', 'tool-worker']) await untilSaid(app, 200, { agents: 'up' });
  });

  it.each(['hold', 'refuse'] as const)(
    'is 503 while PostgreSQL is away: %s',
    async (how) => {
      postgres[how]();
      await untilSaid('session-svc', 503, { postgres: 'down', nats: 'up', jetstream: 'up' });
      await untilSaid('gateway', 503, { 'session-svc': 'down', nats: 'up' });
      await untilSaid('tool-worker', 200, { nats: 'up' });

      postgres.resume();
      await untilSaid('session-svc', 200, { postgres: 'up' });
      await untilSaid('gateway', 200, { 'session-svc': 'up' });
    },
    60_000,
  );

  it.each([
    // Noticed as a lost connection only after 20 s; that nothing answers is seen at once.
    ['hold', { jetstream: 'down' }],
    ['refuse', { nats: 'down', jetstream: 'down' }],
  ] as const)(
    'is 503 while NATS is away: %s',
    async (how, checks) => {
      nats[how]();
      for (const app of ALL) await untilSaid(app, 503, checks);

      nats.resume();
      for (const app of ALL) await untilSaid(app, 200, { nats: 'up', jetstream: 'up' });
    },
    90_000,
  );
});
