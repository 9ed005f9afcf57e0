import { jetstreamManager } from '@nats-io/jetstream';
import { openedQueueSchema, queueRequest, type QueueConsumer, runsQueue, toolQueue } from '@skein/contracts';
import { type RunningService, type ServiceGround, startServiceGround } from './session-svc-harness';

let ground: ServiceGround;
let service: RunningService;

beforeAll(async () => {
  ground = await startServiceGround();
  service = await ground.startService({ ACK_WAIT_MS: '7000' });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await ground.stop();
});

async function opened(queue: QueueConsumer, ackWaitMs: number, maxDeliver: number) {
  const answer = await ground.rpc.request(
    queueRequest(queue),
    openedQueueSchema,
    { ackWaitMs, maxDeliver },
    { timeoutMs: 5_000 },
  );
  const { consumers } = await jetstreamManager(ground.connection.nats);
  const { config } = await consumers.info(queue.stream, queue.durable);
  return { answer, has: { ackWaitMs: (config.ack_wait ?? 0) / 1e6, maxDeliver: config.max_deliver } };
}

describe('row 35: how long a queue waits for word of a message, and how often it delivers one', () => {
  it.each([
    ['never lets go of a call', 3_600_000, 10_000],
    ['has every call given up at its first delivery, and given to two', 100, 1],
  ])(
    'is not the word of one of its workers: one that %s is told what the queue has',
    async (_who, wait, times) => {
      const decided = { ackWaitMs: 7_000, maxDeliver: 100 };

      expect(await opened(toolQueue('shared'), wait, times)).toEqual({ answer: decided, has: decided });
    },
  );

  it('is not the word of one runner', async () => {
    const decided = { ackWaitMs: 10_000, maxDeliver: 1_000 };

    expect(await opened(runsQueue, 100, 1)).toEqual({ answer: decided, has: decided });
  });

  it('is refused where no queue could have it', async () => {
    await expect(opened(toolQueue('shared'), 1, 1)).rejects.toMatchObject({ kind: 'invalid' });
  });
});
