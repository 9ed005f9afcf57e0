import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  subjects,
  type ToolCallMessage,
  type WorkerAnnouncement,
  workerAnnouncementSchema,
} from '@skein/contracts';
import {
  type MessagingConnection,
  provisionStreams,
  publishCore,
  publishWork,
  subscribeCore,
} from '@skein/messaging';
import { ToolWorkerProcess } from '../support/tool-worker-process';
import { type NatsSetup, startNats, until } from './messaging-setup';

const agentWith = (...tools: string[]) => `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const tool = (name) => new FunctionTool({ name, description: name, execute: async () => {
  console.log(name + ' begins');
  await pause(2_500);
  return name;
} });

export const rootAgent = new LlmAgent({
  name: 'agent',
  model: new ScriptedLlm({ responses: [] }),
  tools: ${JSON.stringify(tools)}.map(tool),
});
`;

describe('the announcements of a tool worker process', () => {
  let setup: NatsSetup;
  let connection: MessagingConnection;
  let heard: WorkerAnnouncement[];
  let worker: ToolWorkerProcess;

  beforeEach(async () => {
    setup = await startNats();
    connection = await setup.connect();
    await provisionStreams(connection);
    await writeApp('probe', agentWith('slow', 'other'));
    heard = [];
    subscribeCore(connection, subjects.workerAnnouncement, workerAnnouncementSchema, (said) =>
      heard.push(said),
    );
    await connection.flush();
    worker = new ToolWorkerProcess({
      NATS_URL: setup.url,
      DATA_DIR: setup.dataDir,
      AGENTS_DIR: path.join(setup.dataDir, 'agents'),
      SKEIN_PROCESS_NAME: 'worker-7',
      TOOL_POOLS: 'default,gpu',
      TOOL_CONCURRENCY: '3',
    });
    await worker.ready;
  });
  afterEach(async () => {
    await worker.kill();
    await setup.stop();
  });

  async function writeApp(name: string, text: string): Promise<void> {
    const folder = path.join(setup.dataDir, 'agents', name);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'agent.ts'), text);
  }

  async function callSlow(): Promise<string> {
    const dispatchId = `d-${'7'.repeat(32)}`;
    const message: ToolCallMessage = {
      ...{ appName: 'probe', userId: 'ada', sessionId: 's', invocationId: `e-${crypto.randomUUID()}` },
      call: {
        ...{ dispatchId, stepKey: 'k', index: 0, callId: 'c', agentName: 'agent', tool: 'slow', pool: 'gpu' },
        args: {},
        policy: { timeoutMs: 20_000, maxAttempts: 1, sideEffect: 'idempotent' },
      },
      ticket: { dispatchId, attempt: 1, deadlineMs: Date.now() + 60_000, hmac: 'h' },
      state: {},
    };
    await publishWork(connection, subjects.tool('gpu'), message, { msgId: `${dispatchId}.1` });
    await until('it runs', () => worker.log.includes('slow begins'));
    return dispatchId;
  }

  it('say at its start what it serves, again every second, and at once when it is asked', async () => {
    await until('it is heard', () => heard.length > 0);
    expect(heard[0]).toEqual({
      worker: 'worker-7',
      pools: [
        { pool: 'default', concurrency: 3, running: 0 },
        { pool: 'gpu', concurrency: 3, running: 0 },
      ],
      apps: { probe: { tools: ['other', 'slow'], hasToolsets: false } },
      running: [],
      isLeaving: false,
    });

    const before = heard.length;
    await until('two more came unasked', () => heard.length >= before + 2);

    const unasked = heard.length;
    for (let index = 0; index < 5; index++) await publishCore(connection, subjects.askWorkers, {});
    await until('five more came', () => heard.length >= unasked + 5, 3_000);
  });

  it('name an app that came while the worker ran', async () => {
    await writeApp('late', agentWith('fresh'));

    await until('it is announced', () => heard.at(-1)?.apps.late?.tools.includes('fresh'));
  });

  it('name the calls it runs, tell of its leaving at SIGTERM while they finish, and end with none', async () => {
    const dispatchId = await callSlow();
    await until('it is named', () => heard.at(-1)?.running.includes(dispatchId));
    expect(heard.at(-1)?.pools[1]).toEqual({ pool: 'gpu', concurrency: 3, running: 1 });

    const before = heard.length;
    worker.signal('SIGTERM');
    expect(await worker.exitCode).toBe(0);

    const after = heard.slice(before);
    const leaving = after.slice(after.findIndex(({ isLeaving }) => isLeaving));
    expect(leaving.every(({ isLeaving }) => isLeaving)).toBe(true);
    expect(leaving[0]?.running).toEqual([dispatchId]);
    expect(leaving.at(-1)?.running).toEqual([]);
  });
});
