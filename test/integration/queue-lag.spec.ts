import { toolQueue } from '@skein/contracts';
import {
  consumeWork,
  type MessagingConnection,
  provisionStreams,
  publishWork,
  readQueueLags,
} from '@skein/messaging';
import { z } from 'zod';
import { gate, type NatsSetup, startNats, until } from './messaging-setup';

describe('the lag of a pool', () => {
  let setup: NatsSetup;
  let connection: MessagingConnection;

  beforeEach(async () => {
    setup = await startNats();
    connection = await setup.connect();
    await provisionStreams(connection);
  });
  afterEach(() => setup.stop());

  it('is that of its queues together, whichever of them has a worker', async () => {
    const { opened, open } = gate();
    const normal = await consumeWork(connection, {
      ...toolQueue('gpu', 'normal'),
      ...{ ackWaitMs: 30_000, maxDeliver: 5, concurrency: 1, schema: z.unknown(), handler: () => opened },
    });

    for (const priority of ['high', 'normal', 'normal', 'low', 'low'] as const) {
      const msgId = crypto.randomUUID();
      await publishWork(connection, toolQueue('gpu', priority).filterSubject, {}, { msgId });
    }

    await until('one is begun', async () => (await lagOfGpu())?.started === 1);
    expect(await lagOfGpu()).toMatchObject({ stream: 'TOOLS', pool: 'gpu', waiting: 4, started: 1 });
    open();
    await normal.stop(1_000);
  });

  async function lagOfGpu() {
    return (await readQueueLags(connection)).find(({ pool }) => pool === 'gpu');
  }
});
