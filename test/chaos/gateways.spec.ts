import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type InvocationPage } from '@skein/contracts';
import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { type DisconnectFigures, runDisconnects } from './support/disconnects';
import { Fleet } from './support/fleet';
import { row } from './support/row';

/** Scaled down from 30 s, so that a client that does not read is sent away within the test. */
const SSE_STALL_MS = '2000';
const CUTS = 1_000;

describe('gateways and their clients', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start({ gateways: 2, env: { SSE_STALL_MS, DRAIN_MS: '0' } });
  }, 120_000);

  afterAll(() => fleet?.stop(), 60_000);

  row(
    'row 1: a gateway is killed after it accepted, and the client asks another under the same key',
    async () => {
      const [first, second] = [fleet.one('gateway-1'), fleet.one('gateway-2')];
      const body = { autoCreateSession: true };
      const key = { 'idempotency-key': 'row-1' };
      const broken = new Client(first.url, 'errands').run('row-1', 'wait 1500', body, key);
      const failed = expect(broken).rejects.toThrow();
      const client = new Client(second.url, 'errands');
      const invocations = () =>
        client.request<InvocationPage>('GET', `${client.sessionPath('row-1')}/invocations`);
      const accepted = await waitUntil('the run to be stored', async () => {
        const { status, body: page } = await invocations();
        return status === 200 ? page.invocations[0]?.invocationId : undefined;
      });

      await first.kill('SIGKILL');
      await failed;
      const answer = await client.run('row-1', 'wait 1500', body, key);

      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-invocation-id')).toBe(accepted);
      expect((await invocations()).body.invocations).toHaveLength(1);
      const { events } = await client.getSession('row-1');
      expect(
        events.filter(({ author, content }) => author === 'user' && content?.role === 'user'),
      ).toHaveLength(1);
    },
  );

  row(
    'row 2: gateways are killed in the middle of streams, which go on elsewhere without gap or repeat',
    async (random) => {
      let isOver = false;
      const cutting = runDisconnects({
        urls: () => fleet.urls,
        count: CUTS / 10,
        seed: random.integer(0, 1e9),
      }).finally(() => (isOver = true));
      let kills = 0;
      while (!isOver) {
        const gateway = random.pick(fleet.of('gateway'));
        if (gateway.isRunning) {
          const pid = await gateway.kill('SIGKILL');
          kills += 1;
          await gateway.untilRestarted(pid);
        }
        await pause(random.integer(50, 300));
      }

      expect(kills).toBeGreaterThan(0);
      expectWhole(await cutting);
    },
    180_000,
  );

  row(
    '1,000 random client disconnects: 0 missing, 0 repeated event ids',
    async (random) => {
      const figures = await runDisconnects({
        urls: () => fleet.urls,
        count: CUTS,
        seed: random.integer(0, 1e9),
        deadlineMs: 600_000,
      });

      expectWhole(figures);
      expect(figures.disconnects).toBeGreaterThanOrEqual(CUTS);
      expect(Math.min(figures.resumedByGet, figures.resumedByPost)).toBeGreaterThan(0);
    },
    700_000,
  );

  row(
    'row 19: clients that do not read cost bounded memory, are sent away, and may come back',
    async () => {
      const gateway = fleet.one('gateway-1');
      const client = new Client(gateway.url, 'errands');
      const path = `${client.sessionPath('row-19')}/events`;
      const text = 'x'.repeat(75_000);
      const event = { author: 'errands', content: { role: 'model', parts: [{ text }] } };
      const events = Array.from({ length: 100 }, () => event);
      const sessions = path.replace('/row-19/events', '');
      expect((await client.request('POST', sessions, { sessionId: 'row-19', events })).status).toBe(200);
      const before = rssMegabytes(gateway.pid);

      const sockets = Array.from({ length: CLIENTS }, () => openUnread(client.url, path));
      let most = 0;
      await waitUntil(
        'all to be sent away',
        async () => {
          most = Math.max(most, rssMegabytes(gateway.pid));
          return (await metric(gateway.healthUrl, 'skein_slow_clients_total')) === CLIENTS || undefined;
        },
        60_000,
      );
      for (const socket of sockets) socket.destroy();

      // What they were to be sent is 225 MB.
      expect(most - before).toBeLessThan(150);
      await fleet.untilLogged(/does not read its event stream/);
      const whole = await client.request<{ readonly events: unknown[] }>('GET', path);
      expect(whole.body.events.length).toBeGreaterThan(0);
      await waitUntil('the streams to be closed', async () => {
        return (await metric(gateway.healthUrl, 'skein_open_streams')) === 0 || undefined;
      });
    },
    120_000,
  );
});

const CLIENTS = 30;

function expectWhole({ missing, repeated, wrong, broken, ...figures }: DisconnectFigures): void {
  expect({ missing, repeated, wrong, broken }).toEqual({ missing: 0, repeated: 0, wrong: 0, broken: [] });
  expect(figures.events).toBeGreaterThan(figures.turns);
}

/** Asks for a stream and never reads of it. */
function openUnread(url: string, path: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.on('error', () => undefined); // It is sent away.
  void once(socket, 'connect').then(() =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`),
  );
  return socket;
}

async function metric(healthUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

function rssMegabytes(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
}
