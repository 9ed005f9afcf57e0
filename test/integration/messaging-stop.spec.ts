import { setImmediate } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { type ConsumeWork, consumeWork, provisionStreams, publishWork } from '@skein/messaging';
import { z } from 'zod';
import { gate, startNats, until } from './messaging-setup';

const QUEUE = {
  stream: 'TOOLS',
  durable: 'tools_default',
  filterSubject: 'tool.default.normal',
  ackWaitMs: 30_000,
  maxDeliver: 5,
  concurrency: 4,
  schema: z.object({ n: z.number() }),
} as const;

describe('a consumer of work that stopped', () => {
  it('says nothing more of its messages, also when its queue was being made again', async () => {
    const setup = await startNats();
    const connection = await setup.connect();
    await provisionStreams(connection);
    await (await consumeWork(connection, { ...QUEUE, handler: async () => undefined })).stop();
    const { opened, open } = gate();
    let asked = 0;
    const ensure = async (): Promise<{ ackWaitMs: number }> => {
      if (++asked > 1) await opened;
      return { ackWaitMs: 5_000 };
    };
    let hasBegun = false;
    const handler = async (): Promise<void> => {
      hasBegun = true;
      await new Promise(() => undefined); // It hears of no end.
    };
    const consumer = await consumeWork(connection, { ...QUEUE, handler, ensure });
    await publishWork(connection, 'tool.default.normal', { n: 1 }, { msgId: 'm1' });
    await until('it has begun', () => hasBegun);
    await (await jetstreamManager(connection.nats)).consumers.delete('TOOLS', 'tools_default');
    await until('its queue is being made again', () => asked > 1);
    await consumer.stop(0);
    const intervals = jest.spyOn(globalThis, 'setInterval');

    open();
    await opened;
    await setImmediate();

    expect(intervals).not.toHaveBeenCalled();
    intervals.mockRestore();
    await setup.stop();
  }, 30_000);

  it('has acked all that was done, although acks leave a while after', async () => {
    const setup = await startNats();
    const connection = await setup.connect();
    await provisionStreams(connection);
    let done = 0;
    const handler = async (): Promise<void> => {
      done++;
    };
    const consumer = await consumeWork(connection, { ...QUEUE, handler });
    await publishWork(connection, 'tool.default.normal', { n: 1 }, { msgId: 'm1' });
    await until('it is done', () => done === 1);

    await consumer.stop();
    await connection.close();

    // Of acks that had not left, none leaves any more.
    const { streams } = await jetstreamManager((await setup.connect()).nats);
    await until('the queue is empty', async () => (await streams.info('TOOLS')).state.messages === 0);
    await setup.stop();
  }, 30_000);

  it('has waited for those whose work is done, which kept no other from being handled', async () => {
    const setup = await startNats();
    const connection = await setup.connect();
    await provisionStreams(connection);
    const { opened, open } = gate();
    const begun: number[] = [];
    let settled = 0;
    const handler: ConsumeWork<typeof QUEUE.schema>['handler'] = async ({ n }, { aside }) => {
      begun.push(n);
      await aside(() => opened);
      settled++;
    };
    const consumer = await consumeWork(connection, { ...QUEUE, concurrency: 1, handler });
    for (const n of [1, 2, 3])
      await publishWork(connection, 'tool.default.normal', { n }, { msgId: `m${n}` });
    await until('all have begun', () => begun.length === 3);
    expect([consumer.inFlight(), settled]).toEqual([0, 0]);

    const stopped = consumer.stop();
    open();
    await stopped;

    expect(settled).toBe(3);
    const { streams } = await jetstreamManager(connection.nats);
    await until('the queue is empty', async () => (await streams.info('TOOLS')).state.messages === 0);
    await setup.stop();
  }, 30_000);

  it('hands back those that still wait at its end', async () => {
    const setup = await startNats();
    const connection = await setup.connect();
    await provisionStreams(connection);
    const signals: AbortSignal[] = [];
    const handler: ConsumeWork<typeof QUEUE.schema>['handler'] = async (_body, { aside, signal }) => {
      signals.push(signal);
      await aside(() => new Promise(() => undefined));
    };
    const consumer = await consumeWork(connection, { ...QUEUE, handler });
    await publishWork(connection, 'tool.default.normal', { n: 1 }, { msgId: 'm1' });
    await until('it has begun', () => signals.length === 1);

    await consumer.stop(0);
    const again: number[] = [];
    const next = await consumeWork(connection, { ...QUEUE, handler: async ({ n }) => again.push(n) });
    await until('another has it', () => again.length === 1);

    expect(signals[0]?.aborted).toBe(true);
    await next.stop();
    await setup.stop();
  }, 30_000);
});
