import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { readStored } from './support/database';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { row } from './support/row';
import { aSessionId, sameForm, untilAsked, untilEffect, untilWhole, withoutFault } from './support/scenes';
import { takeTurn } from './support/turn';

describe('the way to the client', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    // Scaled down: so long a client may leave unread what was written for it.
    fleet = await Fleet.start({ gateways: 2, env: { SSE_STALL_MS: '1000' } });
  }, 120_000);

  afterEach(async () => {
    if (fleet) await untilWhole(fleet);
  });

  afterAll(() => fleet?.stop(), 60_000);

  row('row 1: kill -9 of the gateway after it accepted, before it replied', async () => {
    const expected = await withoutFault(fleet, 'wait 400');
    const sessionId = aSessionId('row1');
    const [first, second] = fleet.of('gateway');
    const headers = { 'idempotency-key': randomUUID() };
    const ask = (url: string) =>
      new Client(url, 'errands').run(sessionId, 'wait 400', { autoCreateSession: true }, headers);

    const lost = ask(first?.url ?? '').then(
      () => 'answered',
      () => 'broken',
    );
    await untilEffect(fleet, sessionId, 'begin');
    await first?.kill();
    expect(await lost).toBe('broken');
    const { status, body } = await ask(second?.url ?? '');

    expect([status, body.length]).toEqual([200, 3]);
    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    const { invocations } = await readStored(fleet.databaseUrl);
    expect(invocations.filter((one) => one.sessionId === sessionId)).toHaveLength(1);
  });

  row(
    'row 2: kill -9 of the gateway in mid-stream, again and again: the client goes on at another',
    async (random) => {
      const expected = await withoutFault(fleet, 'count 12');
      const sessionId = aSessionId('row2');
      let asked = 0;
      const url = (): string => fleet.urls[asked++ % fleet.urls.length] ?? '';
      const turn = takeTurn({ url, app: 'errands', sessionId, message: 'count 12', stream: true });

      for (const ordinal of [2, 5, 8]) {
        await untilAsked(fleet, sessionId, ordinal);
        await untilWhole(fleet);
        await random.pick(fleet.of('gateway')).kill();
      }
      const { streams, events } = await turn;

      const seqs = streams.flatMap((stream) => stream.events.map(({ seq }) => seq));
      expect(seqs).toEqual(Array.from({ length: 25 }, (_, index) => index + 2));
      expect(events).toHaveLength(25);
      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      await checkInvariants(fleet, { turns: [await turn] });
    },
  );

  row(
    'row 19: a client that does not read is sent away, and goes on where it was when it comes again',
    async () => {
      const sessionId = aSessionId('row19');
      const gateway = fleet.one('gateway-1');
      const key = randomUUID();
      const slow = unreadStream(gateway.url, sessionId, key);

      await waitUntil('the client to be sent away', () => isGone(slow) || undefined);
      const again = await flooded(gateway.url, sessionId, key);

      expect([again.status, (await again.text()).includes('That was all.')]).toEqual([200, true]);
      expect(await metricOf(gateway.healthUrl, /slow/)).toBeGreaterThan(0);
      await checkInvariants(fleet);
    },
  );
});

const FLOOD_PATH = '/run_sse?resume=1';

function floodBody(sessionId: string): string {
  return JSON.stringify({
    appName: 'errands',
    userId: 'ada',
    sessionId,
    newMessage: { role: 'user', parts: [{ text: 'flood 4000' }] },
    streaming: true,
    autoCreateSession: true,
  });
}

/** A stream whose client takes nothing out of its socket: megabytes of chunks meet a small window. */
function unreadStream(url: string, sessionId: string, key: string): Socket {
  const { hostname, port } = new URL(url);
  const body = floodBody(sessionId);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.pause();
  const head = [
    `POST ${FLOOD_PATH} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Content-Type: application/json',
    `Idempotency-Key: ${key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.write([...head, '', body].join('\r\n'));
  return socket;
}

/** The same request once more, by a client that reads. */
function flooded(url: string, sessionId: string, key: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return fetch(url + FLOOD_PATH, { method: 'POST', headers, body: floodBody(sessionId) });
}

/** A reset is seen only by a write, as nothing is read. */
function isGone(socket: Socket): boolean {
  if (!socket.destroyed) socket.write('\r\n');
  return socket.destroyed;
}

/** The sum of all series whose name matches. */
async function metricOf(healthUrl: string, name: RegExp): Promise<number> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  const lines = text.split('\n').filter((line) => !line.startsWith('#') && name.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
