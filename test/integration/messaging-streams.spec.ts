import { jetstreamManager } from '@nats-io/jetstream';
import { type MessagingConnection, provisionStreams } from '@skein/messaging';
import { type NatsSetup, startNats } from './messaging-setup';

describe('provisioning of streams', () => {
  let setup: NatsSetup;
  let connection: MessagingConnection;

  beforeEach(async () => {
    setup = await startNats();
    connection = await setup.connect();
  });
  afterEach(() => setup.stop());

  it('creates every stream, and does nothing the second time or when two processes do it at once', async () => {
    await Promise.all([provisionStreams(connection), provisionStreams(await setup.connect())]);
    await provisionStreams(connection);

    const manager = await jetstreamManager(connection.nats);
    const found = await manager.streams.list().next();
    expect(found.map(({ config }) => config.name).sort()).toEqual([
      'ADVISORIES',
      'EVENTS',
      'RESULTS',
      'RUNS',
      'TOOLS',
    ]);
  });

  it('row 47: refuses a stream of another configuration and names the difference', async () => {
    const manager = await jetstreamManager(connection.nats);
    await manager.streams.add({ name: 'TOOLS', subjects: ['tool.>', 'toys.>'] });

    const failure = provisionStreams(connection);

    await expect(failure).rejects.toMatchObject({
      code: 'messaging.stream-conflict',
      message: expect.stringMatching(
        /stream TOOLS: subjects is \["tool\.>","toys\.>"\], but should be \["tool\.>"\]; .*retention is "limits", but should be "workqueue"/,
      ) as unknown,
    });
  });

  it('row 47: refuses a stream of somebody else on our subjects, and names it', async () => {
    const manager = await jetstreamManager(connection.nats);
    await manager.streams.add({ name: 'THEIRS', subjects: ['tool.default.>'] });

    const failure = provisionStreams(connection);

    await expect(failure).rejects.toMatchObject({
      code: 'messaging.stream-conflict',
      message: expect.stringContaining('stream THEIRS captures tool.default.>') as unknown,
    });
  });

  it.each(['rpc.>', 'rpc.*.submit', 'work.a'])(
    'row 47: refuses a stream that captures %s',
    async (subject) => {
      const manager = await jetstreamManager(connection.nats);
      await manager.streams.add({ name: 'GREEDY', subjects: [subject] });

      const failure = provisionStreams(connection);

      await expect(failure).rejects.toMatchObject({
        code: 'messaging.stream-conflict',
        message: expect.stringContaining('GREEDY') as unknown,
      });
    },
  );
});
