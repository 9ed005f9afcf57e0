import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type ToolCallMessage,
  type ToolResultMessage,
  toolResultMessageSchema,
  subjects,
} from '@skein/contracts';
import {
  consumeWork,
  type MessagingConnection,
  provisionStreams,
  publishWork,
  type WorkConsumer,
} from '@skein/messaging';
import { ToolWorkerProcess } from '../support/tool-worker-process';
import { type NatsSetup, startNats, until } from './messaging-setup';

const AGENT = `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const tool = (name, execute) => new FunctionTool({ name, description: name, execute });

export const rootAgent = new LlmAgent({
  name: 'agent',
  model: new ScriptedLlm({ responses: [] }),
  tools: [
    tool('echo', (args) => args),
    tool('large', () => 'x'.repeat(2 * 1024 * 1024)),
    tool('slow', async () => { console.log('slow begins'); await pause(1_000); return process.pid; }),
    tool('stray', async () => { void Promise.reject(new Error('nobody awaits me')); await pause(50); return 'fine'; }),
    tool('deadly', () => new Promise(() => { setTimeout(() => { throw new Error('in a timer'); }, 1); })),
  ],
});
`;

describe('a tool worker process', () => {
  let setup: NatsSetup;
  let connection: MessagingConnection;
  let results: ToolResultMessage[];
  let consumer: WorkConsumer;
  let workers: ToolWorkerProcess[];

  beforeEach(async () => {
    setup = await startNats();
    connection = await setup.connect();
    await mkdir(path.join(setup.dataDir, 'agents', 'probe'), { recursive: true });
    await writeFile(path.join(setup.dataDir, 'agents', 'probe', 'agent.ts'), AGENT);
    await provisionStreams(connection);
    results = [];
    workers = [];
    consumer = await consumeWork(connection, {
      stream: 'RESULTS',
      durable: 'results',
      filterSubject: 'result.>',
      ackWaitMs: 30_000,
      maxDeliver: 5,
      concurrency: 8,
      schema: toolResultMessageSchema,
      handler: async (result) => results.push(result),
    });
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await consumer.stop(0);
    await setup.stop();
  });

  async function startWorker(env: NodeJS.ProcessEnv = {}): Promise<ToolWorkerProcess> {
    const worker = new ToolWorkerProcess({
      NATS_URL: setup.url,
      DATA_DIR: setup.dataDir,
      AGENTS_DIR: path.join(setup.dataDir, 'agents'),
      ACK_WAIT_MS: '1000',
      ...env,
    });
    workers.push(worker);
    await worker.ready;
    return worker;
  }

  let calls = 0;
  async function call(tool: string, args: Record<string, unknown> = {}, maxAttempts = 5): Promise<string> {
    const dispatchId = `d-${String(++calls).padStart(32, '0')}`;
    const message: ToolCallMessage = {
      appName: 'probe',
      userId: 'ada',
      sessionId: 's',
      invocationId: `e-${crypto.randomUUID()}`,
      call: {
        dispatchId,
        stepKey: 'k',
        index: 0,
        callId: 'c',
        agentName: 'agent',
        tool,
        pool: 'default',
        args,
        policy: { timeoutMs: 20_000, maxAttempts, sideEffect: 'idempotent' },
      },
      ticket: { dispatchId, attempt: 1, deadlineMs: Date.now() + 60_000, hmac: 'h' },
      state: {},
    };
    await publishWork(connection, subjects.tool('default'), message, { msgId: `${dispatchId}.1` });
    return dispatchId;
  }

  async function resultOf(dispatchId: string): Promise<ToolResultMessage> {
    let found: ToolResultMessage | undefined;
    await until(
      'the result',
      () => (found = results.find(({ ticket }) => ticket.dispatchId === dispatchId)),
      20_000,
    );
    return found as unknown as ToolResultMessage; // Set by the line above.
  }

  it('runs the tools of the agents folder and says which process it was', async () => {
    const worker = await startWorker({ SKEIN_PROCESS_NAME: 'tool-worker-7' });

    const echoed = await resultOf(await call('echo', { city: 'Tromsø' }));
    const large = await resultOf(await call('large'));

    expect(echoed.outcome).toEqual({ kind: 'result', value: { city: 'Tromsø' } });
    expect(echoed.execution).toMatchObject({ worker: 'tool-worker-7', pid: worker.pid, attempt: 1 });
    expect(large.outcome).toEqual({ kind: 'result', value: 'x'.repeat(2 * 1024 * 1024) });
    await until('it is logged', () => worker.log.includes('tool call finished'));
  });

  it('finishes a started call at SIGTERM, then ends with code 0', async () => {
    const worker = await startWorker();
    const slow = await call('slow');
    await until('it runs', () => worker.log.includes('slow begins'));

    worker.signal('SIGTERM');
    const code = await worker.exitCode;

    expect(code).toBe(0);
    expect((await resultOf(slow)).execution).toMatchObject({ pid: worker.pid, attempt: 1 });
  });

  it('has its call run by another worker when it is killed', async () => {
    const killed = await startWorker();
    const slow = await call('slow');
    await until('it runs', () => killed.log.includes('slow begins'));

    killed.signal('SIGKILL');
    const other = await startWorker();

    expect((await resultOf(slow)).execution).toMatchObject({ pid: other.pid, attempt: 2 });
  });

  it('goes on after a tool left a rejected promise behind', async () => {
    const worker = await startWorker();

    expect((await resultOf(await call('stray'))).outcome).toEqual({ kind: 'result', value: 'fine' });
    expect(worker.log).toContain('unhandled rejection');
    expect((await resultOf(await call('echo', { on: true }))).execution.pid).toBe(worker.pid);
  });

  it('ends after an uncaught exception, but lets the other calls finish first', async () => {
    const worker = await startWorker();
    const slow = await call('slow');
    await until('it runs', () => worker.log.includes('slow begins'));

    await call('deadly');
    const result = await resultOf(slow);

    expect(result.execution).toMatchObject({ pid: worker.pid, attempt: 1 });
    expect(worker.log).toContain('uncaught exception');
  });

  it('says in one sentence what is away, and ends with an error', async () => {
    const worker = new ToolWorkerProcess({
      NATS_URL: 'nats://ann:hunter2@127.0.0.1:1',
      DATA_DIR: setup.dataDir,
    });
    workers.push(worker);

    await expect(worker.ready).rejects.toThrow(
      /NATS at nats:\/\/\*\*\*@127.0.0.1:1 cannot be used.*tried 8 times/,
    );
    expect(await worker.exitCode).toBe(1);
    expect(worker.log).not.toContain('hunter2');
  });

  it('lists every wrong variable, and ends with an error', async () => {
    const worker = new ToolWorkerProcess({
      TOOL_CONCURRENCY: 'many',
      LOG_LEVEL: 'loud',
      HEALTH_PORT: '99999',
    });
    workers.push(worker);

    await expect(worker.ready).rejects.toThrow(/HEALTH_PORT[^]*LOG_LEVEL[^]*TOOL_CONCURRENCY/);
    expect(await worker.exitCode).toBe(1);
  });
});
