import { statSync } from 'node:fs';
import path from 'node:path';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { inboxPrefixOf, subjects, toolQueue } from '@skein/contracts';
import {
  consumeWork,
  ensureConsumer,
  type MessagingConnection,
  MessagingMetrics,
  publishCore,
  publishWork,
  RpcClient,
  serveRpc,
  subscribeCore,
} from '@skein/messaging';
import { Metrics } from '@skein/platform';
import { z } from 'zod';
import { waitUntil } from '../support/wait-until';
import { PermittedNats, queueBounds as bounds } from './support/permitted-nats';

const queue = toolQueue('a').durable;

describe('at work under the permissions of NATS', () => {
  let nats: PermittedNats;
  let admin: NatsConnection;
  let manager: JetStreamManager;
  let service: MessagingConnection;

  beforeAll(async () => {
    nats = await PermittedNats.start();
    admin = await nats.raw('admin');
    manager = await jetstreamManager(admin);
    service = await nats.ours('session-svc');
  }, 60_000);

  afterEach(() => manager.streams.purge('TOOLS'));
  afterAll(() => nats?.stop());

  it('lets a worker take the calls of its pool, ask about them, hand one back, give results and hear cancels', async () => {
    const worker = await nats.ours('worker-a');
    const heard: unknown[] = [];
    const asked = serveRpc(service, 'rpc.call.clock', {
      schema: z.any(),
      handler: async (body) => ({ body }),
    });
    const takenBack = serveRpc(service, 'rpc.call.return', {
      schema: z.object({ n: z.number() }),
      handler: ({ n }) =>
        publishWork(service, 'tool.a.normal', n, { msgId: `again.${n}`, headers: { Again: '1' } }),
    });
    const results = await consumeWork(service, {
      ...{ stream: 'RESULTS', durable: 'session-svc', filterSubject: 'result.>', ...bounds },
      ...{ concurrency: 4, schema: z.any(), handler: async (body) => heard.push({ result: body }) },
    });
    subscribeCore(worker, subjects.cancelledCalls, z.any(), (body) => heard.push({ cancel: body }));
    await Promise.all([worker.flush(), service.flush()]);
    const takes = await consumeWork(worker, {
      ...{ ...toolQueue('a'), ...bounds, ensure: async () => undefined, concurrency: 4, schema: z.number() },
      handler: async (n, { header }) => {
        const isFirst = header('Again') === undefined;
        const subject = isFirst ? 'rpc.call.return' : 'rpc.call.clock';
        const answer = await new RpcClient(worker).request(subject, z.any(), { n }, { timeoutMs: 5_000 });
        if (!isFirst) await publishWork(worker, 'result.3', answer, { msgId: `r.${n}` });
      },
    });

    for (const n of [1, 2, 3]) await publishWork(service, 'tool.a.normal', n, { msgId: `${n}` });
    service.nats.publish(subjects.cancelledCalls, '"e-1"');
    await waitUntil('three results and a cancel', () => heard.length >= 4);
    await waitUntil('all is acked', async () => (await manager.streams.info('TOOLS')).state.messages === 0);

    expect(heard).toEqual(expect.arrayContaining([1, 2, 3].map((n) => ({ result: { body: { n } } }))));
    expect(heard).toContainEqual({ cancel: 'e-1' });
    expect(heard).toHaveLength(4);
    await Promise.all([takes.stop(), results.stop(), asked.close(), takenBack.close()]);
  });

  it('row 16: what a worker announces, and its results, are heard as its own, with the pools that are its', async () => {
    const worker = await nats.ours('worker-b');
    const heard: string[] = [];
    const announced = subscribeCore(service, subjects.everyWorkerAnnouncement, z.any(), (_body, subject) =>
      heard.push(subject),
    );
    const results = await consumeWork(service, {
      ...{ stream: 'RESULTS', durable: 'session-svc', filterSubject: 'result.>', ...bounds },
      ...{ concurrency: 4, schema: z.any(), handler: async (_body, { subject }) => heard.push(subject) },
    });
    await service.flush();

    await publishCore(worker, subjects.workerAnnouncement, { worker: 'worker-a', pools: [{ pool: 'a' }] });
    await publishWork(
      worker,
      subjects.result(3),
      { execution: { worker: 'worker-a' } },
      { msgId: 'r.forged' },
    );

    await waitUntil('both are heard', () => heard.length >= 2);
    expect(heard.sort()).toEqual(['announce.worker.worker-b.b', 'result.3.worker-b']);
    for (const forged of ['announce.worker.worker-a.a', 'result.3.worker-a'])
      expect(await nats.refused('worker-b', 'publish', [forged])).toEqual([forged]);
    await Promise.all([announced.close(), results.stop()]);
  });

  it('rows 16, 35: what a worker has delivered to a subject of others reaches none of them', async () => {
    const worker = await nats.raw('worker-a');
    const heard: string[] = [];
    for (const subject of ['rpc.>', 'partial.>', 'work.>', 'event.>', 'tool.b.>', '_INBOX_runner.>'])
      admin.subscribe(subject, { callback: (_error, message: Msg) => void heard.push(message.subject) });
    await admin.flush();
    const before = (await manager.streams.info('EVENTS')).state.messages;
    const targets = [
      'rpc.session.delete',
      'partial.app.ann.s1',
      'work.r',
      'event.app.ann.s1',
      'tool.b.high',
      '_INBOX_runner.x.1',
    ];

    for (const reply of targets) {
      await jetstream(admin).publish('tool.a.normal', `meant for ${reply}`);
      worker.publish(
        `$JS.API.CONSUMER.MSG.NEXT.TOOLS.${queue}`,
        JSON.stringify({ batch: 1, no_wait: true }),
        { reply },
      );
      await worker.flush();
    }
    const own = `${inboxPrefixOf('worker-a')}.own`;
    const arrived = new Promise((resolve) => worker.subscribe(own, { max: 1, callback: resolve }));
    await jetstream(admin).publish('tool.a.normal', 'for itself');
    worker.publish(`$JS.API.CONSUMER.MSG.NEXT.TOOLS.${queue}`, JSON.stringify({ batch: 1, expires: 5e9 }), {
      reply: own,
    });
    await arrived;
    await admin.flush();

    expect(heard).toEqual([]);
    expect((await manager.streams.info('EVENTS')).state.messages).toBe(before);
  });

  it('does not answer a request, or hear a message, that a stream delivered', async () => {
    const handled: string[] = [];
    const server = serveRpc(service, 'rpc.session.delete', {
      schema: z.any(),
      handler: async (body) => handled.push(String(body)),
    });
    await service.flush();
    await jetstream(admin).publish('run.1', '"delivered"');
    await ensureConsumer(service, { stream: 'RUNS', durable: 'runners', filterSubject: 'run.>', ...bounds });

    const next = JSON.stringify({ batch: 1, expires: 5e9 });
    (await nats.raw('runner')).publish('$JS.API.CONSUMER.MSG.NEXT.RUNS.runners', next, {
      reply: 'rpc.session.delete',
    });
    await waitUntil(
      'it is delivered',
      async () => (await manager.consumers.info('RUNS', 'runners')).num_ack_pending === 1,
    );
    await new RpcClient(await nats.ours('gateway')).request('rpc.session.delete', z.any(), 'asked', {
      timeoutMs: 5_000,
    });

    expect(handled).toEqual(['asked']);
    await server.close();
  });

  it('has what is not permitted fail at once, and tells of it', async () => {
    const figures = new Metrics();
    const worker = await nats.ours('worker-a', new MessagingMetrics(figures));
    const refusal = { code: 'nats.not-permitted', kind: 'internal' };
    const startedAt = performance.now();

    const asked = new RpcClient(worker).request('rpc.session.list', z.any(), {}, { timeoutMs: 20_000 });
    await expect(asked).rejects.toMatchObject(refusal);
    await expect(publishWork(worker, 'event.app.ann.s1', {}, { msgId: 'x' })).rejects.toMatchObject(refusal);
    subscribeCore(worker, 'event.>', z.any(), () => undefined);
    await worker.flush();

    expect(performance.now() - startedAt).toBeLessThan(5_000);
    for (const labels of ['publish",tree="rpc', 'publish",tree="event', 'subscription",tree="event']) {
      const line = `skein_nats_permission_violations_total{operation="${labels}"} 1`;
      await waitUntil(line, async () => (await figures.render()).includes(line));
    }
  });

  it('lets nobody in without a password, and keeps those in a file of its owner', async () => {
    const servers = nats.address;
    const tries = [{}, { user: 'runner' }, { user: 'runner', pass: 'wrong' }, { user: 'nobody', pass: '' }];

    for (const credentials of tries) {
      const attempt = connect({ servers, ...credentials, reconnect: false });
      await expect(attempt).rejects.toThrow(/authorization/i);
    }
    expect(statSync(path.join(nats.dataDir, 'nats.conf')).mode & 0o777).toBe(0o600);
  });
});
