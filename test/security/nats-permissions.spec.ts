import {
  inboxPrefixOf,
  type NatsGrant,
  natsServices,
  serviceGrant,
  subjects,
  toolQueue,
  workerGrant,
} from '@skein/contracts';
import { RpcClient, serveRpc } from '@skein/messaging';
import { z } from 'zod';
import { concreteSubjects, isWithin, wideSubjects } from './support/nats-subjects';
import { PermittedNats, workerUsers } from './support/permitted-nats';

const grantOf: Readonly<Record<string, NatsGrant>> = {
  ...Object.fromEntries(natsServices.map((service) => [service, serviceGrant(service)])),
  ...Object.fromEntries(workerUsers.map((worker) => [worker.user, workerGrant(worker)])),
};
const users = Object.keys(grantOf);

describe('what the NATS server lets each user do', () => {
  let nats: PermittedNats;
  beforeAll(async () => {
    nats = await PermittedNats.start();
  }, 60_000);
  afterAll(() => nats?.stop());

  describe.each(users)('%s', (user) => {
    it.each(['publish', 'subscribe'] as const)(
      'may %s what its grant names, and nothing else',
      async (operation) => {
        const tried =
          operation === 'publish'
            ? concreteSubjects.filter((subject) => !subject.includes('>'))
            : [...concreteSubjects, ...wideSubjects];
        const granted = grantOf[user]?.[operation] ?? [];

        const violations = new Set(await nats.refused(user, operation, tried));

        expect(tried.filter((subject) => !violations.has(subject))).toEqual(
          tried.filter((subject) => granted.some((grant) => isWithin(grant, subject))),
        );
        rows += tried.length;
      },
    );
  });

  const queue = toolQueue('a').durable;
  const other = toolQueue('b').durable;
  it.each([
    [
      'take calls of another pool',
      [`$JS.API.CONSUMER.MSG.NEXT.TOOLS.${other}`, `$JS.ACK.TOOLS.${other}.1.1.1.1.0`],
    ],
    ['send to its own pool, or hand a call back by itself', ['tool.a.normal', 'tool.a.high', 'tool.a.low']],
    ['send to another pool', ['tool.b.normal', 'tool.b.high', 'rpc.queue.TOOLS.b.normal']],
    ['speak for session-svc', ['run.1', 'event.app.ann.s1', 'partial.app.ann.s1', 'work.runner-1']],
    [
      'write into sessions',
      ['append', 'submit', 'delete', 'cancel', 'claim'].map((verb) => `rpc.session.${verb}`),
    ],
    [
      'touch streams',
      ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE'].map(
        (verb) => `$JS.API.STREAM.${verb}.TOOLS`,
      ),
    ],
    [
      'read events',
      [
        '$JS.API.STREAM.MSG.GET.EVENTS',
        '$JS.API.DIRECT.GET.EVENTS',
        '$JS.API.STREAM.INFO.EVENTS',
        '$JS.API.CONSUMER.CREATE.EVENTS',
      ],
    ],
    [
      'make or change consumers',
      [
        `$JS.API.CONSUMER.CREATE.TOOLS.${queue}.tool.a.normal`,
        `$JS.API.CONSUMER.DELETE.TOOLS.${queue}`,
        `$JS.API.CONSUMER.DURABLE.CREATE.TOOLS.${queue}`,
      ],
    ],
    [
      'forge an answer to others (row 19)',
      ['_INBOX_runner.x.1', '_INBOX_gateway.x.1', '_INBOX_session-svc.x.1', '_INBOX.x.1', '_R_.x.1'],
    ],
    [
      'ask the server itself',
      ['$SYS.REQ.SERVER.PING', '$SYS.REQ.ACCOUNT.SKEIN.CONNZ', '$JS.API.META.LEADER.STEPDOWN'],
    ],
  ])('rows 16, 35: a worker of pool a cannot %s', async (_what, tried) => {
    expect(await nats.refused('worker-a', 'publish', tried)).toEqual(tried);
    rows += tried.length;
  });

  it('rows 16, 19, 35: a worker of pool a hears nothing of others', async () => {
    const tried = [
      '>',
      'result.>',
      'result.3',
      'answer.*',
      'answer.runner-1',
      'work.>',
      'tool.>',
      'event.>',
      'rpc.>',
      'partial.>',
      '_INBOX.>',
    ];
    const inboxes = ['runner', 'gateway', 'session-svc', 'worker-b'].map(
      (user) => `${inboxPrefixOf(user)}.>`,
    );

    const violations = await nats.refused('worker-a', 'subscribe', [
      ...tried,
      ...inboxes,
      '$JS.ACK.>',
      '$SYS.>',
    ]);

    expect(violations).toEqual([...tried, ...inboxes, '$JS.ACK.>', '$SYS.>']);
    rows += violations.length;
  });

  it('row 16: a worker asks a runner over the border of its account, and hears its answer, or that nobody is there', async () => {
    const [runner, worker] = [await nats.ours('runner'), await nats.ours('worker-a')];
    const handler = async (asked: number): Promise<number> => asked + 1;
    const ask = (subject: string): Promise<number> =>
      new RpcClient(worker).request(subject, z.number(), 1, { timeoutMs: 5_000 });

    const server = serveRpc(runner, subjects.answer('runner-1'), { schema: z.number(), handler });
    await runner.flush();

    expect(await ask(subjects.answer('runner-1'))).toBe(2);
    await expect(ask(subjects.answer('runner-2'))).rejects.toMatchObject({ code: 'rpc.no-responders' });
    await server.close();
  });

  it('row 19: nobody but session-svc can send to the inbox of a gateway or a runner', async () => {
    const inboxes = ['gateway', 'runner'].map((user) => `${inboxPrefixOf(user)}.x.1`);

    for (const user of ['worker-a', 'worker-b', 'gateway', 'runner'])
      expect([user, await nats.refused(user, 'publish', inboxes)]).toEqual([user, inboxes]);
    expect(await nats.refused('session-svc', 'publish', inboxes)).toEqual([]);
  });
});

let rows = 0;
afterAll(() => process.stdout.write(`nats permissions: ${rows} subjects tried\n`));
