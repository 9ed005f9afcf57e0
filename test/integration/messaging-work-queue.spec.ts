import { type ConsumerInfo, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { AdkError, type ErrorKind } from '@skein/contracts';
import {
  type ConsumeWork,
  consumeWork,
  type MessagingConnection,
  provisionStreams,
  publishWork,
  type WorkConsumer,
} from '@skein/messaging';
import { z } from 'zod';
import { gate, type NatsSetup, startNats, until } from './messaging-setup';

const schema = z.object({ n: z.number() });
const queue = {
  stream: 'TOOLS',
  durable: 'tools_default',
  filterSubject: 'tool.default.normal',
  ackWaitMs: 30_000,
  maxDeliver: 5,
  concurrency: 4,
  schema,
} as const;

describe('a work queue', () => {
  let setup: NatsSetup;
  let connection: MessagingConnection;
  let consumers: WorkConsumer[];

  beforeEach(async () => {
    setup = await startNats();
    connection = await setup.connect();
    consumers = [];
    await provisionStreams(connection);
  });
  afterEach(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop(0)));
    await setup.stop();
  });

  let serial = 0;

  function publish(n: number, msgId = `m${n}`) {
    return publishWork(connection, 'tool.default.normal', { n }, { msgId });
  }

  async function consume(
    handler: ConsumeWork<typeof schema>['handler'],
    options: Partial<Omit<ConsumeWork<typeof schema>, 'handler' | 'schema'>> = {},
    on = connection,
  ): Promise<WorkConsumer> {
    const consumer = await consumeWork(on, { ...queue, ...options, handler });
    consumers.push(consumer);
    return consumer;
  }

  async function streamInfo(name = 'TOOLS'): Promise<StreamInfo> {
    return (await jetstreamManager(connection.nats)).streams.info(name);
  }

  async function consumerInfo(): Promise<ConsumerInfo> {
    return (await jetstreamManager(connection.nats)).consumers.info('TOOLS', 'tools_default');
  }

  async function untilEmpty(): Promise<void> {
    await until('the queue is empty', async () => (await streamInfo()).state.messages === 0);
  }

  it('stores a message once however often it is sent under one id', async () => {
    const first = await publish(1, 'same');
    const second = await publish(1, 'same');

    expect([first.isDuplicate, second.isDuplicate]).toEqual([false, true]);
    expect((await streamInfo()).state.messages).toBe(1);
  });

  it('hands over every message and forgets it after its handler settled', async () => {
    const seen: number[] = [];
    await consume(async ({ n }) => seen.push(n));

    for (let n = 0; n < 100; n++) await publish(n);
    await untilEmpty();

    expect(seen.sort((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  it('carries a body of 2 MiB by reference', async () => {
    const seen: number[] = [];
    const text = 'x'.repeat(2 * 1024 * 1024);
    const consumer = await consumeWork(connection, {
      ...queue,
      schema: z.object({ text: z.string() }),
      handler: async (body) => seen.push(body.text.length),
    });
    consumers.push(consumer);

    await publishWork(connection, 'tool.default.normal', { text }, { msgId: 'large' });
    await untilEmpty();

    expect(seen).toEqual([text.length]);
  });

  it('runs no more at once than it may, and leaves the others to whoever is idle', async () => {
    const release = gate();
    let running = 0;
    let most = 0;
    await consume(async () => {
      most = Math.max(most, ++running);
      await release.opened;
      running--;
    });
    for (let n = 0; n < 10; n++) await publish(n);
    await until('all slots are taken', () => running === queue.concurrency);

    const { num_ack_pending: taken, num_pending: waiting } = await consumerInfo();
    release.open();
    await untilEmpty();

    expect({ taken, waiting, most }).toEqual({ taken: 4, waiting: 6, most: 4 });
  });

  it('gives a message to another process when the first one dies without an ack', async () => {
    const dying = await setup.connect('dying');
    const taken = gate();
    await consume(
      () => {
        taken.open();
        return new Promise(() => undefined);
      },
      { ackWaitMs: 1_000, concurrency: 1 },
      dying,
    );
    await publish(1);
    await taken.opened;
    await dying.nats.close();
    const counts: number[] = [];

    await consume(async (_body, { deliveryCount }) => counts.push(deliveryCount), { ackWaitMs: 1_000 });
    await untilEmpty();

    expect(counts).toEqual([2]);
  });

  it('keeps a message for as long as its handler works on it', async () => {
    const release = gate();
    const counts: number[] = [];
    await consume(
      async (_body, { deliveryCount }) => {
        counts.push(deliveryCount);
        await release.opened;
      },
      { ackWaitMs: 600 },
    );
    await publish(1);
    await until('it is taken', () => counts.length === 1);

    // Time itself is what is tested here: without a heartbeat the server would deliver again twice meanwhile.
    const takenAt = Date.now();
    await until('three times the ack wait', () => Date.now() - takenAt > 1_800);
    release.open();
    await untilEmpty();

    expect(counts).toEqual([1]);
  });

  it.each<[ErrorKind, { calls: number; advisories: number }]>([
    ['invalid', { calls: 1, advisories: 1 }],
    ['denied', { calls: 1, advisories: 1 }],
    ['not_found', { calls: 1, advisories: 1 }],
    ['cancelled', { calls: 1, advisories: 0 }],
    // Three times within one delivery, then once more after a nak.
    ['conflict', { calls: 4, advisories: 0 }],
    ['unavailable', { calls: 2, advisories: 0 }],
    ['deadline', { calls: 2, advisories: 0 }],
    ['internal', { calls: 2, advisories: 0 }],
  ])('settles a handler that fails with %s as the table of outcomes says', async (kind, expected) => {
    let calls = 0;
    await consume(async (_body, { deliveryCount }) => {
      calls++;
      if (deliveryCount === 1) throw new AdkError(kind, 'test.failed', 'as asked', { retryAfterMs: 1 });
    });

    await publish(1);
    await untilEmpty();

    const advisories = (await streamInfo('ADVISORIES')).state.messages;
    expect({ calls, advisories }).toEqual(expected);
  });

  it('gives a message up after its last delivery, and leaves an advisory', async () => {
    let calls = 0;
    await consume(
      async () => {
        calls++;
        throw new AdkError('unavailable', 'test.failed', 'always', { retryAfterMs: 1 });
      },
      { maxDeliver: 3 },
    );

    await publish(1);
    await untilEmpty();

    expect(calls).toBe(3);
    await until('the advisory is kept', async () => (await streamInfo('ADVISORIES')).state.messages === 1);
  });

  it('refuses for good what is not JSON or does not fit, and goes on', async () => {
    const seen: number[] = [];
    await consume(async ({ n }) => seen.push(n));

    connection.nats.publish('tool.default.normal', '{"n":');
    connection.nats.publish('tool.default.normal', '{"n":"one"}');
    await publish(3);
    await untilEmpty();

    expect(seen).toEqual([3]);
    await until('both left an advisory', async () => (await streamInfo('ADVISORIES')).state.messages === 2);
  });

  it('hands back what it has not started when it stops, waits for what it has, and takes nothing more', async () => {
    const release = gate();
    let started = 0;
    const stopping = await consume(
      async () => {
        started++;
        await release.opened;
      },
      { concurrency: 2 },
    );
    for (let n = 0; n < 4; n++) await publish(n);
    await until('both slots are taken', () => started === 2);

    const stopped = stopping.stop();
    const seen: number[] = [];
    await consume(async ({ n }) => seen.push(n));
    await until('the idle one has the others', () => seen.length === 2);
    release.open();
    await stopped;
    await untilEmpty();

    expect(started).toBe(2);
  });

  it.each([
    ['they are handed back', { maxDeliver: 1_000 }],
    // A queue that takes a delivery for a start has another way, which counts for none.
    [
      'they are given to others in another way',
      { giveBack: ({ n }: { n: number }) => publish(n, `back${serial++}`) },
    ],
  ])('loses none of the messages that come in while it stops: %s', async (_how, options) => {
    // One that the server sends in the moment the inbox closes comes again after this.
    const slow = { ackWaitMs: 2_000, ...options };
    const seen = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const stopping = await consume(async ({ n }) => seen.add(n), slow);
      const published = Promise.all(Array.from({ length: 5 }, (_, i) => publish(round * 5 + i)));
      await stopping.stop();
      await published;
    }

    await consume(async ({ n }) => seen.add(n), slow);
    await untilEmpty();

    expect(seen.size).toBe(100);
  });

  it('tells at once what it waits for that it is to stop, and lets it end', async () => {
    const started = gate();
    const leaving = await consume(
      (_body, { stopping }) =>
        new Promise<void>((resolve) => {
          stopping.addEventListener('abort', () => resolve(), { once: true });
          started.open();
        }),
    );
    await publish(1);
    await started.opened;

    await leaving.stop();

    await untilEmpty();
  });

  it('aborts and hands back what is still running after its grace', async () => {
    let wasAborted = false;
    const started = gate();
    const stopping = await consume(
      (_body, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (wasAborted = true));
          started.open();
        }),
      { concurrency: 1 },
    );
    await publish(1);
    await started.opened;

    await stopping.stop(10);
    const counts: number[] = [];
    await consume(async (_body, { deliveryCount }) => counts.push(deliveryCount));
    await untilEmpty();

    expect(wasAborted).toBe(true);
    expect(counts).toEqual([2]);
  });

  it.each(['consumer', 'stream'])('goes on after its %s vanished', async (what) => {
    const seen: number[] = [];
    await consume(async ({ n }) => seen.push(n));
    const manager = await jetstreamManager(connection.nats);

    if (what === 'stream') await manager.streams.delete('TOOLS');
    else await manager.consumers.delete('TOOLS', 'tools_default');
    await publish(1);

    await until('the message arrived', () => seen.length === 1);
  });

  it('goes on after the server restarted with an empty disk', async () => {
    const seen: number[] = [];
    await consume(async ({ n }) => seen.push(n));

    await setup.restart({ withEmptyDisk: true });
    await publish(1);

    await until('the message arrived', () => seen.length === 1, 20_000);
  });

  it('brings a consumer of an earlier version up to its configuration', async () => {
    const earlier = await consume(async () => undefined, { ackWaitMs: 5_000 });
    await earlier.stop();

    await consume(async () => undefined, { ackWaitMs: 7_000 });

    expect((await consumerInfo()).config.ack_wait).toBe(7_000 * 1e6);
  });
});
