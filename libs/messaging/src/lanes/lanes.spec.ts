import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LaneService } from '@skein/contracts';
import { silentLogger } from '@skein/platform';
import { listenIn } from '../sockets/socket-folder';
import { encodeFrame, FrameReader } from './frames';
import { type RpcRequest } from './lane';
import { LaneClient } from './lane-client';
import { lanesFolder, LaneServer } from './lane-server';
import { Lanes } from './lanes';

const APPEND = 'rpc.session.append';
const SUBMIT = 'rpc.session.submit';
const WORK = 'work.runner-1';
const ANSWER = 'answer.runner-1';

let dataDir: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'lanes-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await rm(dataDir, { recursive: true, force: true });
});

async function until(what: string, condition: () => boolean): Promise<void> {
  const endsAt = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > endsAt) throw new Error(`not within 10 s: ${what}`);
    await delay(5);
  }
}

const echo =
  (name: string) =>
  (request: RpcRequest): void =>
    request.respond({ data: Buffer.from(`${name}: ${textOf(request.data)}`), headers: {} });
const textOf = (data: Uint8Array | undefined): string => Buffer.from(data ?? []).toString();
const fail = (error: unknown): never => {
  throw error;
};

async function ask(lanes: Lanes, subject: string, text: string): Promise<string> {
  return textOf((await lanes.laneTo(subject)?.request(subject, words(text)))?.data);
}
const words = (text: string, timeoutMs = 5_000) => ({ data: Buffer.from(text), headers: {}, timeoutMs });

async function aServer(
  lanes: Lanes,
  services: readonly LaneService[] = ['gateway', 'runner'],
): Promise<LaneServer> {
  const server = new LaneServer(lanes, silentLogger);
  await server.listen(dataDir, services);
  ends.push(
    () => server.close(),
    () => server.stopListening(),
  );
  return server;
}

function aClient(lanes: Lanes, service: LaneService = 'runner'): LaneClient {
  const client = new LaneClient(lanes, dataDir, service);
  client.start();
  ends.push(() => client.close());
  return client;
}

/** session-svc and a runner, with a lane between them. */
async function connected() {
  const [store, runner] = [new Lanes(), new Lanes()];
  store.serve(APPEND, echo('store'));
  runner.serve(WORK, echo('runner'));
  const server = await aServer(store);
  const client = aClient(runner);
  await until('both know what the other answers', () => !!runner.laneTo(APPEND) && !!store.laneTo(WORK));
  return { store, runner, server, client };
}

describe('lanes', () => {
  it('carry requests both ways, many at once, each with its own answer', async () => {
    const { store, runner } = await connected();
    const asked = Array.from({ length: 200 }, (_none, n) => `${n} ${'x'.repeat(n * 50)}`);

    const stored = await Promise.all(asked.map((text) => ask(runner, APPEND, text)));
    const worked = await Promise.all(asked.map((text) => ask(store, WORK, text)));

    expect(stored).toEqual(asked.map((text) => `store: ${text}`));
    expect(worked).toEqual(asked.map((text) => `runner: ${text}`));
  });

  it('carry headers, as a message of NATS has them', async () => {
    const { store, runner } = await connected();
    const seen: (string | undefined)[] = [];
    store.serve(APPEND, (request) => {
      seen.push(request.headers?.get('traceparent'), request.headers?.get('other'));
      request.respond({ data: Buffer.from(''), headers: { 'Skein-Payload': 'elsewhere' } });
    });

    const answer = await runner
      .laneTo(APPEND)
      ?.request(APPEND, { ...words(''), headers: { traceparent: '00-1' } });

    expect(seen).toEqual(['00-1', '']);
    expect(answer?.headers?.get('Skein-Payload')).toBe('elsewhere');
  });

  it('offer each service what is its own: the socket of a gateway takes no append', async () => {
    const { store } = await connected();
    store.serve(SUBMIT, echo('store'));
    const gateway = new Lanes();
    aClient(gateway, 'gateway');
    await until('it may submit', () => gateway.laneTo(SUBMIT) !== undefined);

    const answer = await gateway.laneTo(SUBMIT)?.request(APPEND, words('mine'));

    expect(gateway.laneTo(APPEND)).toBeUndefined();
    expect(answer).toBeUndefined();
  });

  it('bring a runner the results of its workers, who may ask nothing else of it', async () => {
    const { store, runner } = await connected();
    runner.serve(ANSWER, echo('runner'));
    await aServer(runner, ['tool-worker']);
    const worker = new Lanes();
    aClient(worker, 'tool-worker');
    await until('it may bring results', () => worker.laneTo(ANSWER) !== undefined);

    expect(await ask(worker, ANSWER, 'done')).toBe('runner: done');

    expect(worker.laneTo(WORK)).toBeUndefined();
    expect(await worker.laneTo(ANSWER)?.request(WORK, words('run'))).toBeUndefined();
    // What a runner answers its workers it does not answer session-svc, nor the other way about.
    expect(store.laneTo(ANSWER)).toBeUndefined();
    expect(await ask(store, WORK, 'run')).toBe('runner: run');
  });

  it('are not asked for what the service at the other end may not answer, whatever it says', async () => {
    const { store } = await connected();
    const thief = new Lanes();
    const stolen = jest.fn();
    thief.serve(WORK, stolen);
    thief.serve(SUBMIT, stolen);
    const [name = ''] = await readdir(lanesFolder(dataDir, 'gateway'));
    const socket = connect(path.join(lanesFolder(dataDir, 'gateway'), name));
    ends.push(() => socket.destroy());
    store.serve(SUBMIT, echo('store'));
    const lane = thief.open(socket, {
      here: [WORK, SUBMIT],
      there: [SUBMIT],
      whenAnswered: (leave) => leave(),
    });
    // What it says that it answers was read before this.
    expect(textOf((await lane.request(SUBMIT, words('x')))?.data)).toBe('store: x');

    const answers = await Promise.all(Array.from({ length: 4 }, () => ask(store, WORK, 'run')));

    expect(answers).toEqual(Array.from({ length: 4 }, () => 'runner: run'));
    expect(store.laneTo(SUBMIT)).toBeUndefined();
    expect(stolen).not.toHaveBeenCalled();
  });

  it('row 17: are not asked for what cannot go on at the other end, until it can again', async () => {
    const { store, runner } = await connected();
    const lane = runner.laneTo(APPEND);

    store.suspend();
    const late = await lane?.request(APPEND, words('late'));
    expect(late).toBeUndefined();
    expect(runner.laneTo(APPEND)).toBeUndefined();

    store.resume();
    await until('it is asked again', () => runner.laneTo(APPEND) !== undefined);
    expect(await ask(runner, APPEND, 'x')).toBe('store: x');
  });

  it('end for who asks on and on and reads no answer, and go on for the others', async () => {
    const { store, runner } = await connected();
    const large = 'x'.repeat(1_000_000);
    store.serve(APPEND, (request) => request.respond({ data: Buffer.from(large), headers: {} }));
    const [name = ''] = await readdir(lanesFolder(dataDir, 'runner'));
    const greedy = connect(path.join(lanesFolder(dataDir, 'runner'), name)).pause();
    ends.push(() => greedy.destroy());
    await until('it has a lane', () => store.count === 2);
    const asking = encodeFrame({
      kind: 'request',
      id: 1,
      subject: APPEND,
      headers: {},
      data: Buffer.from(''),
    });

    for (let n = 0; n < 100; n++) greedy.write(asking);

    await until('its lane is gone', () => store.count === 1);
    expect(await ask(runner, APPEND, 'x')).toBe(large);
  });

  it('lie in folders that only their owner may open', async () => {
    await connected();

    const modes = await Promise.all(
      (['runner', 'gateway'] as const).map(
        async (one) => (await stat(lanesFolder(dataDir, one))).mode & 0o777,
      ),
    );

    expect(modes).toEqual([0o700, 0o700]);
  });

  it('say that nobody has a request whose subject is answered no more, and are asked no second time', async () => {
    const { store, runner } = await connected();
    const lane = runner.laneTo(APPEND);
    const leave = store.serve(APPEND, echo('store'));
    leave();

    expect(await lane?.request(APPEND, words('late'))).toBeUndefined();

    expect(runner.laneTo(APPEND)).toBeUndefined();
  });

  it('reject what was under way when the other side died: it may have been carried out', async () => {
    const { store, runner, server } = await connected();
    const arrived = new Promise<void>((resolve) => store.serve(APPEND, () => resolve()));
    const failed = runner.laneTo(APPEND)?.request(APPEND, words('lost'));
    const settled = expect(failed).rejects.toThrow(/closed/i);
    await arrived;

    server.close();

    await settled;
    expect(runner.laneTo(APPEND)).toBeUndefined();
  });

  it('leave alone who keeps silent, until that one is heard again', async () => {
    const { store, runner } = await connected();
    const [lane, asked] = [runner.laneTo(APPEND), [] as RpcRequest[]];
    store.serve(APPEND, (request) => void asked.push(request));

    await expect(lane?.request(APPEND, words('first', 20))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(runner.laneTo(APPEND)).toBeUndefined();

    asked[0]?.respond({ data: Buffer.from('late'), headers: {} });
    await until('it is asked again', () => runner.laneTo(APPEND) !== undefined);
  });

  it('are asked on where one request ran out of its time and others were answered', async () => {
    const { store, runner } = await connected();
    store.serve(APPEND, (request) => {
      if (textOf(request.data) !== 'slow') echo('store')(request);
    });
    const slow = expect(runner.laneTo(APPEND)?.request(APPEND, words('slow', 50))).rejects.toMatchObject({
      name: 'TimeoutError',
    });

    expect(await ask(runner, APPEND, 'quick')).toBe('store: quick');
    await slow;

    expect(runner.laneTo(APPEND)).toBeDefined();
  });

  it('are shared by all that answer, and found when they start later', async () => {
    const { runner } = await connected();
    const second = new Lanes();
    second.serve(APPEND, echo('second'));
    await aServer(second);
    await until('two lanes', () => runner.count === 2);
    await until('both answer', () => runner.laneTo(APPEND) !== runner.laneTo(APPEND));

    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(runner, APPEND, 'x')));

    const bySecond = answers.filter((answer) => answer === 'second: x');
    expect(bySecond).toHaveLength(5);
  });

  it('take the yes to what was handed over along with the request that follows it, in one write', async () => {
    const written: string[][] = [];
    const store = createServer((socket) => {
      const reader = new FrameReader();
      socket.on('data', (bytes) => written.push(reader.read(bytes).map(({ kind }) => kind)));
      const handOver = {
        kind: 'request',
        id: 1,
        subject: WORK,
        headers: {},
        data: Buffer.from('run'),
      } as const;
      for (const told of [{ ...handOver, kind: 'serves', data: Buffer.from(APPEND) } as const, handOver])
        socket.write(encodeFrame(told));
    });
    ends.push(() => store.close());
    await listenIn(lanesFolder(dataDir, 'runner'), store, fail);
    const runner = new Lanes();
    const asked: Promise<unknown>[] = [];
    runner.serve(WORK, (request) => {
      request.respond({ data: Buffer.from('yes'), headers: {} });
      asked.push(expect(ask(runner, APPEND, 'unit')).rejects.toThrow(/closed/i));
    });
    const looking = aClient(runner);

    await until('both were written', () => written.flat().includes('request'));
    looking.close();
    await Promise.all(asked);

    expect(written.find((kinds) => kinds.includes('reply'))).toEqual(['reply', 'request']);
  });

  it('end for who speaks no frames, and go on for the others', async () => {
    const { runner } = await connected();
    const [name = ''] = await readdir(lanesFolder(dataDir, 'runner'));
    const stranger = connect(path.join(lanesFolder(dataDir, 'runner'), name));

    stranger.write('GET / HTTP/1.1\r\n\r\n');
    await once(stranger.resume(), 'close');

    expect(await ask(runner, APPEND, 'x')).toBe('store: x');
  });

  it('cost a process whose folder holds no socket nothing but the lanes', async () => {
    const tooLong = path.join(dataDir, 'd'.repeat(120));
    const warned: unknown[] = [];
    const logger = {
      ...silentLogger,
      warn: (fields: unknown) => void warned.push(fields),
    } as typeof silentLogger;

    await new LaneServer(new Lanes(), logger).listen(tooLong, ['gateway', 'runner']);

    expect(warned).toHaveLength(2);
  });

  it('are not made with a process that accepts and then says nothing', async () => {
    const folder = lanesFolder(dataDir, 'runner');
    await aServer(new Lanes());
    const silent: Server = createServer(() => undefined).listen(path.join(folder, 'silent.sock'));
    await once(silent, 'listening');
    ends.push(() => silent.close());
    const connected = once(silent, 'connection');
    const runner = new Lanes();
    aClient(runner);
    await connected;

    expect(runner.count).toBe(2);
    expect(runner.laneTo(APPEND)).toBeUndefined();
  });
});
