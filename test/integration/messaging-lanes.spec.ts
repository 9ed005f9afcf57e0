import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AdkError, type LaneService, subjects } from '@skein/contracts';
import { LaneClient, LaneServer, type MessagingConnection, RpcClient, serveRpc } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { z } from 'zod';
import { gate, type NatsSetup, startNats, until } from './messaging-setup';

const SUBJECT = subjects.sessionRpc('append');
const OTHER = subjects.sessionRpc('renew');
const options = { timeoutMs: 5_000 };
const bodySchema = z.object({ text: z.string() });

describe('requests between two processes of a machine', () => {
  let setup: NatsSetup;
  let dataDir: string;
  let server: MessagingConnection;
  let client: MessagingConnection;
  let rpc: RpcClient;
  /** Subjects of what NATS carried. */
  let carried: string[];
  let stops: (() => unknown)[];

  beforeAll(async () => {
    setup = await startNats();
  });
  afterAll(() => setup.stop());

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'skein-lanes-'));
    [server, client] = await Promise.all([setup.connect('server'), setup.connect('client')]);
    rpc = new RpcClient(client);
    carried = [];
    stops = [() => rm(dataDir, { recursive: true, force: true })];
    const everything = server.nats.subscribe('rpc.>', {
      callback: (_error, { subject }) => void carried.push(subject),
    });
    stops.push(() => everything.unsubscribe());
  });
  afterEach(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  async function serve(
    handler: (body: { text: string }) => Promise<unknown> = async ({ text }) => ({
      text: text.toUpperCase(),
    }),
    subject = SUBJECT,
    isAwaited = false,
  ) {
    const serving = serveRpc(server, subject, { queue: 'test', schema: bodySchema, handler, isAwaited });
    await server.flush();
    stops.push(() => serving.close());
    return serving;
  }

  /** Its server has nothing to wait for at the end. */
  async function serveNever(onBegun: () => void = () => undefined): Promise<void> {
    const ended = gate();
    await serve(async () => {
      onBegun();
      await ended.opened;
    });
    stops.push(() => ended.open());
  }

  async function openLane(
    service: LaneService = 'runner',
    subject = SUBJECT,
    whenAnswered?: (leave: () => void) => void,
  ): Promise<LaneServer> {
    const lanes = new LaneServer(server.lanes, silentLogger, whenAnswered);
    await lanes.listen(dataDir, [service]);
    const looking = new LaneClient(client.lanes, dataDir, service);
    looking.start();
    stops.push(
      () => lanes.stopListening(),
      () => lanes.close(),
      () => looking.close(),
    );
    await until('there is a lane', () => client.lanes.laneTo(subject) !== undefined);
    return lanes;
  }

  const ask = (text: string, more: object = {}) =>
    rpc.request(SUBJECT, bodySchema, { text }, { ...options, ...more });

  it('go by a lane where there is one, and NATS does not see them', async () => {
    await serve();
    await openLane();

    const answers = await Promise.all(Array.from({ length: 50 }, (_none, n) => ask(`n${n}`)));

    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_none, n) => `N${n}`));
    await client.flush();
    expect(carried).toEqual([]);
  });

  it('go over NATS where no lane offers their subject, or they have to come behind a subscription', async () => {
    await serve();
    await serve(async () => ({ text: 'renewed' }), OTHER);
    await openLane();

    await rpc.request(OTHER, bodySchema, { text: 'x' }, options);
    await ask('x', { behindSent: true });

    expect(carried).toEqual([OTHER, SUBJECT]);
  });

  it('are answered together, but for those that somebody waits for: such an answer takes the others along', async () => {
    const [gathered, awaited] = [subjects.answer('one'), subjects.stored('one')];
    await serve(undefined, gathered);
    await serve(undefined, awaited, true);
    const leaving: (() => void)[] = [];
    await openLane('tool-worker', gathered, (leave) => leaving.push(leave));
    const told: string[] = [];
    const askOf = (subject: string, text: string) =>
      rpc.request(subject, bodySchema, { text }, options).then((answer) => told.push(answer.text));

    const alone = askOf(gathered, 'together');
    await until('an answer that waits', () => leaving.length === 1);
    expect(told).toEqual([]);
    leaving.pop()?.();
    await alone;
    const another = askOf(gathered, 'along');
    await until('another one', () => leaving.length === 1);
    await Promise.all([askOf(awaited, 'at once'), another]);

    expect(told).toEqual(['TOGETHER', 'ALONG', 'AT ONCE']);
  });

  it('carry bodies that go by reference, both ways', async () => {
    await serve();
    await openLane();

    const { text } = await ask('x'.repeat(1_000_000));

    expect(text).toBe('X'.repeat(1_000_000));
    await client.flush();
    expect(carried).toEqual([]);
  });

  it('are told errors as over NATS, with code and kind', async () => {
    await serve(async () => {
      throw new AdkError('conflict', 'session.stale', 'somebody else has it');
    });
    await openLane();

    await expect(ask('x')).rejects.toMatchObject({ kind: 'conflict', code: 'session.stale' });
    const misfit = rpc.request(SUBJECT, bodySchema, { words: 1 }, options);
    await expect(misfit).rejects.toMatchObject({ code: 'message.shape' });
    expect(carried).toEqual([]);
  });

  it('go over NATS, to whoever answers there, when who is at the other end leaves', async () => {
    const leaving = await serve(async () => ({ text: 'leaving' }));
    await openLane();
    const other = await setup.connect('other');
    const handler = async (): Promise<unknown> => ({ text: 'other' });
    const staying = serveRpc(other, SUBJECT, { queue: 'test', schema: bodySchema, handler });
    stops.push(() => staying.close());
    await other.flush();
    await leaving.close();

    expect(await ask('x')).toEqual({ text: 'other' });

    expect(carried).toEqual([SUBJECT]);
  });

  it('that were begun before it leaves are answered', async () => {
    const { opened, open } = gate();
    const begun = gate();
    const leaving = await serve(async () => {
      begun.open();
      await opened;
      return { text: 'done' };
    });
    await openLane();
    const asked = ask('x');
    await begun.opened;

    const left = leaving.close();
    open();

    expect(await asked).toEqual({ text: 'done' });
    await left;
  });

  it('row 2: that were under way when the other end died may have been carried out', async () => {
    const begun = gate();
    await serveNever(() => begun.open());
    const lanes = await openLane();
    const asked = expect(ask('x')).rejects.toMatchObject({ code: 'rpc.failed' });
    await begun.opened;

    lanes.close();

    await asked;
  });

  it('are given up as over NATS: by their deadline, and by who asks', async () => {
    await serveNever();
    await openLane();
    const leaving = new AbortController();

    await expect(ask('x', { timeoutMs: 30 })).rejects.toMatchObject({ code: 'rpc.timeout' });
    const given = expect(ask('x', { signal: leaving.signal })).rejects.toMatchObject({
      code: 'rpc.cancelled',
    });
    leaving.abort();
    await given;
  });

  it('row 17: are refused while NATS is away, lane or not: nothing else of a turn would go on', async () => {
    await serve();
    await openLane();
    const impatient = new RpcClient(client, { patienceMs: 0 });

    await setup.restart({
      withEmptyDisk: false,
      whileAway: async () => {
        await until('the loss is noticed', () => !client.isConnected());
        const refused = impatient.request(SUBJECT, bodySchema, { text: 'x' }, options);
        await expect(refused).rejects.toMatchObject({ code: 'nats.away' });
        // Nor is the other end asked by somebody who has not noticed.
        await until('it says so', () => client.lanes.laneTo(SUBJECT) === undefined);
      },
    });

    await until('both are back', () => client.isConnected() && server.isConnected());
    await until('there is a lane again', () => client.lanes.laneTo(SUBJECT) !== undefined);
    carried.length = 0;
    expect(await ask('x')).toEqual({ text: 'X' });
    expect(carried).toEqual([]);
  });
});
