import { execFileSync } from 'node:child_process';
import { subjects } from '@skein/contracts';
import { publishCore } from '@skein/messaging';
import { until } from './messaging-setup';
import { type ToolWorkerProcess } from '../support/tool-worker-process';
import { ToolPlane } from './tool-worker-harness';

const AGENT = `
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { threadId } from 'node:worker_threads';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const kept = [];
const MB = 2 ** 20;
const asLong = (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const does = {
  echo: (args) => args,
  block: ({ ms }) => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms); return 'awake'; },
  where: () => ({ pid: process.pid, threadId }),
  heapMb: () => Math.round(getHeapStatistics().heap_size_limit / MB),
  slow: async ({ ms = 1500 }) => { console.log('slow begins'); await pause(ms); return { pid: process.pid, threadId }; },
  loop: () => { for (;;); },
  spin: async () => { console.log('spin begins'); await pause(50); for (;;); },
  marks: () => { console.log('was begun'); return 'begun'; },
  never: () => new Promise(() => undefined),
  exit: () => process.exit(3),
  lateExit: async () => { setTimeout(() => process.exit(4), 5); await pause(10_000); },
  timer: () => new Promise(() => { setTimeout(() => { throw new Error('in a timer'); }, 1); }),
  stray: async () => { void Promise.reject(new Error('nobody awaits me')); await pause(50); return 'fine'; },
  leaves: () => { setTimeout(() => { throw new Error('left behind'); }, 300); return 'gone before'; },
  heap: () => { for (;;) kept.push(new Array(100_000).fill({}).map(() => ({ a: 1 }))); },
  buffer: () => { for (let n = 0; n < 2_048; n += 64) kept.push(Buffer.alloc(64 * MB, 1)); return 'it had 2 GB'; },
  abort: () => process.abort(),
  listens: ({}, { signal }) => asLong(signal).catch((why) => { console.log('told: ' + why.name); throw why; }),
  starts: ({ detached = false }) => {
    const program = spawn('sleep', ['60'], { stdio: 'inherit', detached });
    process.stdout.write('program ' + program.pid + ' begins\\n');
    for (;;);
  },
  babbles: (_args, context) => {
    const timer = setInterval(() => { context.progress('babble'); context.heartbeat(); }, 50);
    setTimeout(() => clearInterval(timer), 10_000);
    return 'gone before';
  },
  hogs: () => { setTimeout(() => { for (;;); }, 5); return 'gone before'; },
  silent: async (_args, context) => { context.heartbeat?.(); await pause(5_000); return 'late'; },
};

const tools = ['inline', 'thread', 'process'].flatMap((isolation) =>
  Object.entries(does).map(([name, execute]) => new FunctionTool({
    name: name + '_' + isolation, description: name, execute, isolation,
    ...(isolation === 'inline' ? {} : { memoryLimitBytes: 128 * MB }),
  })),
);
tools.push(new FunctionTool({ name: 'unnamed', description: 'says nothing of it', execute: does.where }));

export const rootAgent = new LlmAgent({ name: 'agent', model: new ScriptedLlm({ responses: [] }), tools });
`;

describe.each(['thread', 'process'] as const)('a tool in a %s of its own', (isolation) => {
  let plane: ToolPlane;
  let worker: ToolWorkerProcess;

  beforeAll(async () => {
    plane = await ToolPlane.start(AGENT);
    // As its image and `npm start` have it: ADR 30.
    worker = await plane.startWorker({ TOOL_CONCURRENCY: '4', NODE_OPTIONS: '--max-semi-space-size=64' });
  }, 120_000);

  afterAll(() => plane?.stop(), 120_000);

  const named = (name: string): string => `${name}_${isolation}`;
  const limit = /took more memory than its limit of 128 MiB/;

  it.each<readonly [string, string, string, RegExp]>([
    ['while (true)', 'loop', 'tool.timeout', /did not finish within 1500 ms/],
    ['a promise that never settles', 'never', 'tool.timeout', /did not finish within 1500 ms/],
    ['process.exit()', 'exit', 'tool.exited', new RegExp(`ended its ${isolation} with exit code 3`)],
    ['process.exit() a moment later', 'lateExit', 'tool.exited', /exit code 4/],
    ['a throw in a timer', 'timer', 'tool.crashed', /in a timer/],
    ['2 GB of objects', 'heap', 'tool.memory', limit],
    ...(isolation === 'process'
      ? ([
          ['2 GB of buffers', 'buffer', 'tool.memory', limit],
          ['a native abort', 'abort', 'tool.crashed', /SIGABRT/],
        ] as const)
      : []),
  ])(
    'harms its own call alone with %s (row 33)',
    async (_what, name, code, message) => {
      const other = await plane.send({ tool: named('slow') });
      const inline = await plane.send({ tool: 'slow_inline' });

      // The memory takes its time on a busy machine.
      const timeoutMs = code === 'tool.timeout' ? 1_500 : 30_000;
      const { outcome, execution } = await plane.run({ tool: named(name), policy: { timeoutMs } });

      expect(outcome).toEqual({ kind: 'error', code, message: expect.stringMatching(message) as string });
      expect(execution).toMatchObject({ pid: worker.pid, attempt: 1 });
      for (const id of [other, inline]) {
        expect((await plane.resultOf(id)).outcome).toMatchObject({ kind: 'result' });
        expect((await plane.resultOf(id)).execution).toMatchObject({ pid: worker.pid, attempt: 1 });
      }
      expect((await plane.run({ tool: named('echo'), args: { on: true } })).outcome).toMatchObject({
        value: { on: true },
      });
    },
    90_000,
  );

  it("has a heap of its limit, the framework's share and V8's own young generation, whatever the worker's is", async () => {
    const { outcome } = await plane.run({ tool: named('heapMb') });

    expect(outcome).toEqual({ kind: 'result', value: 128 + 64 + 48 });
  }, 120_000);

  it('goes on after a rejection that nobody awaits, as inline', async () => {
    expect((await plane.run({ tool: named('stray') })).outcome).toEqual({ kind: 'result', value: 'fine' });
    await until('it is logged', () => worker.log.includes('nobody awaits me'));
  }, 120_000);

  it('leaves the next calls alone with what it left behind', async () => {
    for (let round = 0; round < 4; round++) {
      expect((await plane.run({ tool: named('leaves') })).outcome).toMatchObject({ value: 'gone before' });
    }
    const next = await Promise.all(
      Array.from({ length: 4 }, () => plane.run({ tool: named('slow'), args: { ms: 500 } })),
    );

    expect(next.map(({ outcome }) => outcome.kind)).toEqual(Array(4).fill('result'));
    await until('it is logged', () => worker.log.includes('left behind'));
  }, 120_000);

  it('is told of its timeout through its signal, before it is ended', async () => {
    const { outcome } = await plane.run({ tool: named('listens'), policy: { timeoutMs: 300 } });

    expect(outcome).toMatchObject({ code: 'tool.timeout' });
    await until('it is told', () => worker.log.includes('told: TimeoutError'));
  }, 120_000);

  it('row 40: is ended with its run', async () => {
    const invocationId = `e-${crypto.randomUUID()}`;
    const loops = await plane.send({ tool: named('loop'), invocationId, policy: { timeoutMs: 120_000 } });
    const other = await plane.run({ tool: named('slow'), args: { ms: 300 } });

    await publishCore(plane.connection, subjects.cancelledCalls, { invocationId });

    expect((await plane.resultOf(loops, 10_000)).outcome).toMatchObject({ code: 'tool.cancelled' });
    expect(other.outcome.kind).toBe('result');
  }, 120_000);

  it('row 40: is not begun when its run is cancelled while it waits for its turn', async () => {
    const invocationId = `e-${crypto.randomUUID()}`;
    const busy = [0, 1, 2, 3].map(() => plane.send({ tool: named('slow'), args: { ms: 2_000 } }));
    await Promise.all(busy);
    const waits = await plane.send({ tool: named('marks'), invocationId });
    await publishCore(plane.connection, subjects.cancelledCalls, { invocationId });

    expect((await plane.resultOf(waits)).outcome).toMatchObject({ code: 'tool.cancelled' });
    for (const id of busy) expect((await plane.resultOf(await id)).outcome.kind).toBe('result');
    expect(worker.log).not.toContain('was begun');
  }, 120_000);

  it('is ended when it is silent for longer than it may', async () => {
    const { outcome } = await plane.run({ tool: named('silent'), policy: { heartbeatTimeoutMs: 300 } });

    expect(outcome).toMatchObject({ code: 'tool.heartbeat' });
  }, 120_000);
});

describe.each(['thread', 'process'] as const)('what a tool leaves running in its %s', (isolation) => {
  let plane: ToolPlane;

  beforeAll(async () => {
    plane = await ToolPlane.start(AGENT);
    await plane.startWorker({ TOOL_CONCURRENCY: '1' });
  }, 120_000);

  afterAll(() => plane?.stop(), 120_000);

  it('speaks for nobody: it neither tells of progress nor keeps the next call alive', async () => {
    const told: unknown[] = [];
    plane.connection.nats.subscribe('progress.>', {
      callback: (_error, message) => void told.push(message.json()),
    });
    await plane.connection.flush();
    await plane.run({ tool: `babbles_${isolation}` });

    const { outcome } = await plane.run({
      tool: `silent_${isolation}`,
      policy: { heartbeatTimeoutMs: 500 },
    });

    expect(outcome).toMatchObject({ code: 'tool.heartbeat' });
    expect(told).toEqual([]);
  }, 120_000);

  it('does not keep the next call from its turn by blocking', async () => {
    await plane.run({ tool: `hogs_${isolation}` });

    const { outcome, execution } = await plane.run({ tool: `echo_${isolation}`, args: { on: true } });

    expect(outcome).toEqual({ kind: 'result', value: { on: true } });
    expect(execution).toMatchObject({ attempt: 1 });
  }, 120_000);
});

describe('a program that a tool started in a process of its own', () => {
  let plane: ToolPlane;

  beforeEach(async () => {
    plane = await ToolPlane.start(AGENT);
  }, 120_000);

  afterEach(() => plane?.stop(), 120_000);

  it.each([
    ['ends with its process', false],
    ['holds up nobody when it left the group of its process', true],
  ])(
    '%s',
    async (_what, detached) => {
      const worker = await plane.startWorker({ TOOL_CONCURRENCY: '1' });

      const { outcome } = await plane.run({
        tool: 'starts_process',
        args: { detached },
        policy: { timeoutMs: 500 },
      });

      expect(outcome).toMatchObject({ code: 'tool.timeout' });
      expect((await plane.run({ tool: 'echo_process' })).outcome.kind).toBe('result');
      const program = programOf(worker);
      if (detached) process.kill(program, 'SIGKILL');
      await until('the program is gone', () => !isAlive(program));
    },
    120_000,
  );

  it('ends when the worker is killed', async () => {
    const worker = await plane.startWorker();
    await plane.send({ tool: 'starts_process' });
    await until('it runs', () => worker.log.includes(' begins'));
    const program = programOf(worker);

    await worker.kill();

    await until('the program is gone', () => !isAlive(program));
  }, 120_000);
});

describe('a tool that blocks its worker', () => {
  let plane: ToolPlane;

  beforeEach(async () => {
    plane = await ToolPlane.start(AGENT);
  }, 120_000);

  afterEach(() => plane?.stop(), 120_000);

  it('is left alone within its own time, longer than its ack though that is', async () => {
    const worker = await plane.startWorker();

    const { outcome, execution } = await plane.run({ tool: 'block_inline', args: { ms: 3_000 } });

    expect(outcome).toEqual({ kind: 'result', value: 'awake' });
    expect(execution).toMatchObject({ pid: worker.pid, attempt: 1 });
  }, 120_000);

  it('row 33: has it ended beyond that, and runs out of attempts', async () => {
    const worker = await plane.startWorker();
    const loops = await plane.send({ tool: 'loop_inline', policy: { timeoutMs: 500, maxAttempts: 1 } });

    expect(await worker.exitCode).toBeNull();
    expect(worker.log).toMatch(
      new RegExp(`"tool":"loop_inline".*a tool blocks this worker|blocks this worker.*loop_inline`),
    );

    await plane.startWorker();
    expect((await plane.resultOf(loops)).outcome).toMatchObject({ code: 'tool.attempts-spent' });
  }, 120_000);

  it('leaves no process behind when it is killed, one that loops included', async () => {
    const worker = await plane.startWorker();
    const { outcome } = await plane.run({ tool: 'where_process' });
    await plane.send({ tool: 'spin_process' });
    await until('it runs', () => worker.log.includes('spin begins'));
    await plane.run({ tool: 'slow_inline', args: { ms: 300 } });
    const children = childrenOf(worker.pid);
    expect(children.length).toBeGreaterThanOrEqual(2);
    expect(children).toContain((outcome as { value: { pid: number } }).value.pid);

    await worker.kill();

    await until('its processes are gone', () => !children.some(isAlive));
  }, 120_000);

  it('row 41: ends its processes at SIGTERM, after their calls', async () => {
    const worker = await plane.startWorker();
    await plane.run({ tool: 'where_process' });
    const slow = await plane.send({ tool: 'slow_process' });
    await until('it runs', () => worker.log.includes('slow begins'));
    const children = childrenOf(worker.pid);

    worker.signal('SIGTERM');

    expect((await plane.resultOf(slow)).outcome.kind).toBe('result');
    expect(await worker.exitCode).toBe(0);
    expect(children.filter(isAlive)).toEqual([]);
  }, 120_000);
});

function programOf(worker: ToolWorkerProcess): number {
  return Number(/program (\d+) begins/.exec(worker.log)?.[1]);
}

function childrenOf(pid: number): number[] {
  const list = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return list.trim().split(/\s+/).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
