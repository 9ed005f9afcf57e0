import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CallRow, subjects, type ToolCallMessage, type ToolPolicy } from '@skein/contracts';
import { publishWork } from '@skein/messaging';
import { parseExposed } from '../support/metrics-page';
import { writeAgents } from '../support/skein';
import { ToolWorkerProcess } from '../support/tool-worker-process';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  Cleanup,
  type FakeRunner,
  handoverOf,
  resultOf,
  type RunningService,
  type ServiceGround,
  startFakeRunner,
  startServiceGround,
  submitTo,
} from './session-svc-harness';

const agentWith = (...tools: string[]) => `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const tool = (name) => new FunctionTool({ name, description: name, execute: async () => {
  console.log(name + ' begins');
  if (name === 'slow') await pause(3_000);
  return process.pid;
} });

export const rootAgent = new LlmAgent({
  name: 'root',
  model: new ScriptedLlm({ responses: [] }),
  tools: ${JSON.stringify(tools)}.map(tool),
});
`;

const VERSION_1 = agentWith('old', 'slow');
const VERSION_2 = agentWith('old', 'slow', 'new');
const policy = { timeoutMs: 60_000, maxAttempts: 3, sideEffect: 'idempotent' } as const;

describe('the life of tool workers', () => {
  let ground: ServiceGround;
  let service: RunningService;
  let folder: string;
  let runner: FakeRunner;
  const cleanup = new Cleanup();

  beforeAll(async () => {
    ground = await startServiceGround();
    folder = await mkdtemp(path.join(tmpdir(), 'skein-life-'));
    writeAgents(path.join(folder, 'v1'), { app: VERSION_1 });
    writeAgents(path.join(folder, 'v2'), { app: VERSION_2 });
  }, 60_000);
  afterAll(async () => {
    await ground.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    service = await ground.startService({ SWEEP_MS: '200' });
    runner = await startFakeRunner(ground, cleanup);
  });
  afterEach(async () => {
    await cleanup.run();
    await service.stop();
  });

  async function aWorker(version: 'v1' | 'v2', pool: string): Promise<ToolWorkerProcess> {
    const worker = new ToolWorkerProcess({
      ...{ NATS_URL: ground.natsUrl, DATA_DIR: folder, AGENTS_DIR: path.join(folder, version) },
      TOOL_POOLS: pool,
    });
    cleanup.add(() => worker.kill());
    await worker.ready;
    return worker;
  }

  /** Stored as a runner would, with its message; who has no ticket for it waits for the result. */
  async function storedCall(tool: string, pool: string, more: Partial<ToolPolicy> = {}) {
    const handover = await handoverOf(runner, await submitTo(ground, aKey({ appName: 'app' })));
    const call = aCall({ tool, pool, policy: { ...policy, ...more } });
    const { tickets } = await appendTo(
      ground,
      aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] }),
    );
    const [ticket] = tickets;
    const { appName, userId, sessionId, invocationId } = handover;
    const message: ToolCallMessage | undefined = ticket && {
      ...{ appName, userId, sessionId, invocationId, call, ticket, state: {} },
    };
    return { call, message };
  }

  async function send(message: ToolCallMessage, headers: Record<string, string> = {}): Promise<void> {
    const { dispatchId, attempt } = message.ticket;
    const options = { msgId: `${dispatchId}.${attempt}`, headers };
    await publishWork(ground.connection, subjects.tool(message.call.pool), message, options);
  }

  async function callOf(tool: string, pool: string, headers?: Record<string, string>): Promise<CallRow> {
    const { call, message } = await storedCall(tool, pool);
    if (message) await send(message, headers);
    return call;
  }

  function hasResult({ dispatchId }: CallRow): boolean {
    return runner.results.some(({ ticket }) => ticket.dispatchId === dispatchId);
  }

  async function workersIn(pool: string): Promise<number | undefined> {
    const metrics = parseExposed(await service.health.metrics.render());
    const series = metrics.find(({ name }) => name === 'skein_tool_pool_workers')?.series;
    return series?.find(({ text }) => text.includes(`pool="${pool}"`))?.value;
  }

  function workersBecome(pool: string, count: number, withinMs = 10_000): Promise<unknown> {
    return eventually(
      `${count} workers in ${pool}`,
      async () => (await workersIn(pool)) === count || undefined,
      withinMs,
    );
  }

  it('gives a tool that only version 2 has to the pool once a worker of version 2 lives', async () => {
    const old = await aWorker('v1', 'rolling');
    await workersBecome('rolling', 1);
    const call = await callOf('new', 'rolling');
    // What the old version has goes on meanwhile.
    const other = await callOf('old', 'rolling');
    expect((await resultOf(runner, other)).execution.pid).toBe(old.pid);
    expect(hasResult(call)).toBe(false);

    const young = await aWorker('v2', 'rolling');

    const { outcome, execution } = await resultOf(runner, call);
    expect(outcome).toEqual({ kind: 'result', value: young.pid });
    expect(execution.attempt).toBe(1);
    expect(old.log).not.toContain('new begins');
  }, 90_000);

  it('has what an old version cannot run handed back to the new one, at no cost of an attempt', async () => {
    const [old, young] = await Promise.all([aWorker('v1', 'mixed'), aWorker('v2', 'mixed')]);
    await workersBecome('mixed', 2);

    const calls = await Promise.all(Array.from({ length: 6 }, () => callOf('new', 'mixed')));

    for (const call of calls) {
      const { outcome, execution } = await resultOf(runner, call);
      expect(outcome).toEqual({ kind: 'result', value: young.pid });
      expect(execution.attempt).toBe(1);
    }
    expect(old.log).not.toContain('new begins');
  }, 90_000);

  it('keeps a call for the version that has its tool while that one is away, however often the other took it', async () => {
    // Sent while nobody is known, so that the old version takes it; by one that handed calls back by itself, too often.
    const call = await callOf('new', 'away', { 'Skein-Returned': '20' });
    const old = await aWorker('v1', 'away');
    await eventually('the old version took it', () => old.log.includes('call handed back') || undefined);
    const other = await callOf('old', 'away');
    expect((await resultOf(runner, other)).execution.pid).toBe(old.pid);
    expect(hasResult(call)).toBe(false);

    const young = await aWorker('v2', 'away');

    const { outcome, execution } = await resultOf(runner, call);
    expect(outcome).toEqual({ kind: 'result', value: young.pid });
    expect(execution.attempt).toBe(1);
  }, 90_000);

  it('takes a worker out at SIGTERM, while it finishes what it runs; what comes then is for another', async () => {
    const leaving = await aWorker('v1', 'shrinking');
    await workersBecome('shrinking', 1);
    const begun = await callOf('slow', 'shrinking');
    await eventually('it runs', () => leaving.log.includes('slow begins') || undefined);

    leaving.signal('SIGTERM');
    await workersBecome('shrinking', 0, 2_000);
    expect(hasResult(begun)).toBe(false);
    const late = await callOf('old', 'shrinking');

    expect((await resultOf(runner, begun)).execution).toMatchObject({
      pid: leaving.pid,
      attempt: 1,
    });
    expect(await leaving.exitCode).toBe(0);
    const next = await aWorker('v1', 'shrinking');
    expect((await resultOf(runner, late)).execution).toMatchObject({ pid: next.pid, attempt: 1 });
    expect(leaving.log).not.toContain('old begins');
  }, 90_000);

  it('has what a leaving worker holds until it is stored given to the next, at no cost of an attempt', async () => {
    const leaving = await aWorker('v1', 'holding');
    await workersBecome('holding', 1);
    const { call, message } = await storedCall('old', 'holding', { maxAttempts: 1 });
    if (!message) throw new Error('a call that has to wait, with a worker there');
    // Nobody who could say that it is stored.
    await service.stop();
    const asked = ground.connection.nats.subscribe(subjects.callRpc('stored'), { max: 1 });
    await ground.connection.flush();
    await send({ ...message, askStored: 'stored.nobody' });
    for await (const _question of asked) break;

    leaving.signal('SIGTERM');
    service = await ground.startService({ SWEEP_MS: '200' });

    expect(await leaving.exitCode).toBe(0);
    const next = await aWorker('v1', 'holding');
    const { outcome, execution } = await resultOf(runner, call);
    expect([outcome, execution.attempt]).toEqual([{ kind: 'result', value: next.pid }, 1]);
    expect(leaving.log).not.toContain('old begins');
  }, 90_000);

  it('misses a worker that was killed within seconds, and one that is new at once', async () => {
    const killed = await aWorker('v1', 'mortal');
    await workersBecome('mortal', 1, 1_500);

    killed.signal('SIGKILL');

    await workersBecome('mortal', 0, 7_000);
    await aWorker('v1', 'mortal');
    await workersBecome('mortal', 1, 1_500);
  }, 90_000);
});
