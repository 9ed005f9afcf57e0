import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { consumeWork, type MessagingConnection, provisionStreams, publishWork } from '@skein/messaging';
import { z } from 'zod';
import { type NatsSetup, startNats, until } from './messaging-setup';

const TEXT = 'x'.repeat(300_000);

describe('a message whose payload is not there', () => {
  let setup: NatsSetup;
  let connection: MessagingConnection;

  beforeEach(async () => {
    setup = await startNats();
    connection = await setup.connect();
    await provisionStreams(connection);
  });
  afterEach(() => setup.stop());

  it('stays in its work queue until the payload is', async () => {
    await publishWork(connection, 'tool.default.normal', { text: TEXT }, { msgId: 'm1' });
    const away = path.join(setup.dataDir, 'away');
    const [name = ''] = await readdir(path.join(setup.dataDir, 'payloads'));
    const payload = path.join(setup.dataDir, 'payloads', name);
    await rename(payload, away);
    const lengths: number[] = [];
    const consumer = await consumeWork(connection, {
      stream: 'TOOLS',
      durable: 'tools_default',
      filterSubject: 'tool.default.normal',
      ackWaitMs: 30_000,
      maxDeliver: 5,
      concurrency: 1,
      schema: z.object({ text: z.string() }),
      handler: async ({ text }) => lengths.push(text.length),
    });

    const { consumers, streams } = await jetstreamManager(connection.nats);
    const deliveries = async () => (await consumers.info('TOOLS', 'tools_default')).delivered.consumer_seq;
    await until('the message was delivered again', async () => (await deliveries()) >= 2);
    await rename(away, payload);

    await until('the message arrived', () => lengths.length > 0);
    expect(lengths).toEqual([TEXT.length]);
    await until('the queue is empty', async () => (await streams.info('TOOLS')).state.messages === 0);
    await consumer.stop(0);
  });
});
