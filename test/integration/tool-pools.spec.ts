import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type CallRow,
  subjects,
  toolQueue,
  type ToolResultMessage,
  type WorkerAnnouncement,
} from '@skein/contracts';
import { publishCore, publishWork, readQueueLags, subscribeCore } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { parseExposed } from '../support/metrics-page';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  Cleanup,
  handoverOf,
  resultOf,
  type RunningService,
  type ServiceGround,
  startFakeRunner,
  startServiceGround,
  submitTo,
} from './session-svc-harness';

const KEDA = path.join(__dirname, '..', '..', 'deploy', 'keda', 'tool-workers.yaml');

let ground: ServiceGround;
let service: RunningService;
let lines: { readonly fields: object; readonly message: string }[];
const cleanup = new Cleanup();

beforeAll(async () => {
  ground = await startServiceGround();
}, 60_000);
afterAll(() => ground.stop());
beforeEach(async () => {
  lines = [];
  await ground.database.pool.query('DELETE FROM adk_sessions');
  service = await ground.startService({ SWEEP_MS: '200' }, aLogger());
});
afterEach(async () => {
  await cleanup.run();
  await service.stop();
});

function aLogger(): Logger {
  const write = (fields: object, message: string) => void lines.push({ fields, message });
  const logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  return logger;
}

/** A worker that only says what it serves, as often as a real one, until the test ends or it is told to stop. */
async function aWorker(
  said: Partial<WorkerAnnouncement> & Pick<WorkerAnnouncement, 'worker'>,
  subject: string = subjects.workerAnnouncement,
) {
  const announcement: WorkerAnnouncement = {
    pools: [{ pool: 'default', concurrency: 16, running: 0 }],
    apps: { app: { tools: ['add'], hasToolsets: false } },
    running: [],
    isLeaving: false,
    ...said,
  };
  const announce = () => publishCore(ground.connection, subject, announcement);
  const timer = setInterval(() => void announce(), 500);
  const stop = () => clearInterval(timer);
  cleanup.add(stop);
  await announce();
  return { stop };
}

/** Calls of a run that goes on until the test ends. */
async function callsOf(
  ...calls: CallRow[]
): Promise<{ result: (call: CallRow) => Promise<ToolResultMessage> }> {
  const runner = await startFakeRunner(ground, cleanup);
  const handover = await handoverOf(runner, await submitTo(ground, aKey({ appName: 'app' })));
  const { runnerId } = runner;
  await appendTo(ground, aUnit(handover, 1, { runnerId, has: [anEvent()], calls }));
  return { result: (call) => resultOf(runner, call) };
}

async function forgeResult(worker: string, user?: string): Promise<void> {
  const dispatchId = `d-${randomUUID().replaceAll('-', '')}`;
  const result: ToolResultMessage = {
    ...{ ...aKey({ appName: 'app' }), invocationId: `e-${randomUUID()}`, tool: 'add' },
    ticket: { dispatchId, attempt: 1, deadlineMs: Date.now() + 60_000, hmac: 'made-up' },
    outcome: { kind: 'result', value: 'a gift' },
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
    execution: { worker, pid: 1, attempt: 1, durationMs: 1 },
  };
  const subject = [subjects.result(0), user].filter(Boolean).join('.');
  await publishWork(ground.connection, subject, result, { msgId: `r.${dispatchId}.1` });
}

const policy = { timeoutMs: 600_000, maxAttempts: 1, sideEffect: 'idempotent' } as const;

async function figures(pool: string): Promise<Record<string, number>> {
  const metrics = parseExposed(await service.health.metrics.render());
  return Object.fromEntries(
    metrics.flatMap(({ name, series }) =>
      series.filter(({ text }) => text === `${name}{pool="${pool}"}`).map(({ value }) => [name, value]),
    ),
  );
}

function figuresBecome(pool: string, expected: Record<string, number>): Promise<unknown> {
  return eventually(`the figures of ${pool}`, async () => {
    const found = await figures(pool);
    return Object.entries(expected).every(([name, value]) => found[name] === value) || undefined;
  });
}

describe('the pools of tool workers', () => {
  it('are told with what they have, the calls they are given, and how old these are', async () => {
    await aWorker({ worker: 'w1', pools: [{ pool: 'default', concurrency: 16, running: 2 }] });
    await aWorker({ worker: 'w2' });
    await callsOf(aCall({ policy }), aCall({ policy, index: 1 }));

    await figuresBecome('default', {
      skein_tool_pool_workers: 2,
      skein_tool_pool_capacity: 32,
      skein_tool_pool_running: 2,
      skein_tool_calls_dispatched: 2,
      skein_tool_calls_queued: 0,
      skein_tool_calls_unserved: 0,
    });
  });

  it('count a call no longer as waiting that a worker says it runs', async () => {
    const call = aCall({ policy });
    await callsOf(call);
    await eventually(
      'it ages',
      async () => ((await figures('default')).skein_tool_calls_oldest_seconds ?? 0) > 0 || undefined,
    );

    await aWorker({
      worker: 'w1',
      pools: [{ pool: 'default', concurrency: 16, running: 1 }],
      running: [call.dispatchId],
    });

    await figuresBecome('default', { skein_tool_calls_oldest_seconds: 0 });
  });

  it('that nobody serves are told within seconds, once: what waits for which tool, and when that is over', async () => {
    await callsOf(
      aCall({ policy, pool: 'gpu', tool: 'render' }),
      aCall({ policy, pool: 'gpu', tool: 'render', index: 1 }),
    );

    const told = await eventually(
      'the line',
      () => lines.find(({ message }) => message === 'calls wait for a tool no live worker has'),
      10_000,
    );
    expect(told.fields).toEqual({ appName: 'app', tool: 'render', pool: 'gpu', calls: 2 });
    await figuresBecome('gpu', { skein_tool_pool_workers: 0, skein_tool_calls_unserved: 2 });

    await aWorker({
      worker: 'w-gpu',
      pools: [{ pool: 'gpu', concurrency: 1, running: 0 }],
      apps: { app: { tools: ['render'], hasToolsets: false } },
    });
    await eventually('the end of it', () =>
      lines.find(({ message }) => message === 'no calls wait in vain for that tool any more'),
    );
    expect(lines.filter(({ message }) => message.startsWith('calls wait for a tool'))).toHaveLength(1);
    await figuresBecome('gpu', { skein_tool_pool_workers: 1, skein_tool_calls_unserved: 0 });
  });

  it('are told true of poison: JetStream counts a message it gave up nowhere, the call is open all the same', async () => {
    const call = aCall({ policy, pool: 'poisoned' });
    await callsOf(call);
    const queue = toolQueue('poisoned');
    await publishWork(ground.connection, queue.filterSubject, {}, { msgId: `${call.dispatchId}.1` });
    const manager = await jetstreamManager(ground.connection.nats);
    await manager.consumers.add(queue.stream, {
      durable_name: queue.durable,
      filter_subject: queue.filterSubject,
      ack_policy: AckPolicy.Explicit,
      max_deliver: 1,
    });
    const consumer = await jetstream(ground.connection.nats).consumers.get(queue.stream, queue.durable);
    (await consumer.next())?.nak();
    expect(await consumer.next({ expires: 1_000 })).toBeNull();

    await eventually('JetStream gives it up', async () => {
      const { num_pending: pending, num_ack_pending: begun } = await consumer.info();
      return pending + begun === 0 || undefined;
    });

    const lag = (await readQueueLags(ground.connection)).find(({ pool }) => pool === 'poisoned');
    expect(lag).toMatchObject({ waiting: 0, started: 0 });
    expect(await figures('poisoned')).toMatchObject({ skein_tool_calls_dispatched: 1 });
  });

  it('stay with 0 when their workers are gone, which is noticed within seconds', async () => {
    const worker = await aWorker({ worker: 'w1', pools: [{ pool: 'brief', concurrency: 1, running: 0 }] });
    await figuresBecome('brief', { skein_tool_pool_workers: 1 });

    worker.stop();

    await figuresBecome('brief', { skein_tool_pool_workers: 0, skein_tool_pool_capacity: 0 });
  });

  it('that stay without a worker have their calls ended at the start deadline: the model reads that nobody came', async () => {
    const call = aCall({ pool: 'void', policy: { ...policy, scheduleToStartTimeoutMs: 6_500 } });
    const { result } = await callsOf(call);

    expect((await result(call)).outcome).toMatchObject({ kind: 'error', code: 'tool.no-worker' });

    expect(
      lines.find(({ message }) => message === 'calls wait for a tool no live worker has')?.fields,
    ).toMatchObject({
      pool: 'void',
      calls: 1,
    });
  });

  it('row 35: leave out a worker whose results are forged again and again, and tell of it', async () => {
    await aWorker({ worker: 'mallory', pools: [{ pool: 'honest', concurrency: 4, running: 0 }] });
    await aWorker({ worker: 'w1', pools: [{ pool: 'honest', concurrency: 4, running: 0 }] });
    await figuresBecome('honest', { skein_tool_pool_workers: 2 });

    for (let index = 0; index < 5; index++) await forgeResult('mallory');

    await figuresBecome('honest', { skein_tool_pool_workers: 1, skein_tool_pool_capacity: 4 });
    const told = lines.filter(({ message }) => message === 'tool worker is ignored for a while');
    expect(told.map(({ fields }) => fields)).toMatchObject([{ worker: 'mallory', offence: 'forged' }]);
    expect(await service.health.metrics.render()).toContain(
      'skein_tool_workers_distrusted_total{offence="forged"} 1',
    );
  });

  it('row 16: have no worker of a user who may not serve them, whatever that one says', async () => {
    const pools = ['bound', 'foreign'].map((pool) => ({ pool, concurrency: 4, running: 1 }));
    const call = aCall({ policy, pool: 'foreign' });
    await callsOf(call);

    await aWorker({ worker: 'w1', pools, running: [call.dispatchId] }, 'announce.worker.team-a.bound');

    await figuresBecome('bound', { skein_tool_pool_workers: 1, skein_tool_pool_capacity: 4 });
    expect(await figures('foreign')).toMatchObject({
      skein_tool_pool_workers: 0,
      skein_tool_pool_running: 0,
    });
    await eventually(
      'its call to be one that nobody runs',
      async () => ((await figures('foreign')).skein_tool_calls_oldest_seconds ?? 0) > 0 || undefined,
    );
  });

  it('rows 16, 35: believe a worker whose name somebody else forges results in', async () => {
    const pools = [{ pool: 'named', concurrency: 4, running: 0 }];
    await aWorker({ worker: 'w1', pools }, 'announce.worker.team-a.named');
    await aWorker({ worker: 'w1', pools }, 'announce.worker.team-b.named');
    await figuresBecome('named', { skein_tool_pool_workers: 2 });

    for (let index = 0; index < 5; index++) await forgeResult('w1', 'team-b');

    await figuresBecome('named', { skein_tool_pool_workers: 1 });
    const told = lines.filter(({ message }) => message === 'tool worker is ignored for a while');
    expect(told.map(({ fields }) => fields)).toMatchObject([{ worker: 'team-b/w1', offence: 'forged' }]);
  });

  it('are asked for by a session-svc that starts, so that it need not wait for their next word', async () => {
    const asked: unknown[] = [];
    const subscription = subscribeCore(ground.connection, subjects.askWorkers, z.unknown(), (body) =>
      asked.push(body),
    );
    cleanup.add(() => subscription.close());
    await ground.connection.flush();

    const other = await ground.startService();
    cleanup.add(() => other.stop());

    await eventually('the question', () => asked[0]);
  });

  it('are scaled by series that a running session-svc shows', async () => {
    await aWorker({ worker: 'w1' });
    await figuresBecome('default', { skein_tool_pool_workers: 1 });
    const shown = await figures('default');

    const documents = parseAllDocuments(readFileSync(KEDA, 'utf8')).map((document) => String(document));
    const series = documents.flatMap((text) => [...text.matchAll(/\b(skein_\w+)\{pool=\\?"default\\?"\}/g)]);

    expect(series.length).toBeGreaterThanOrEqual(4);
    for (const [, name = ''] of series) expect(shown).toHaveProperty(name);
  });
});
