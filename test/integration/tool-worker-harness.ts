import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  subjects,
  type ToolCallMessage,
  type ToolPolicy,
  type ToolResultMessage,
  toolResultMessageSchema,
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

export interface Call {
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly policy?: Partial<ToolPolicy>;
  readonly invocationId?: string;
}

/** A NATS server, an app `probe`, and what is heard of its calls; workers are started on it as a test needs them. */
export class ToolPlane {
  readonly workers: ToolWorkerProcess[] = [];
  readonly #results: ToolResultMessage[] = [];
  #calls = 0;

  private constructor(
    private readonly setup: NatsSetup,
    readonly connection: MessagingConnection,
  ) {}

  static async start(agent: string): Promise<ToolPlane> {
    const setup = await startNats();
    const plane = new ToolPlane(setup, await setup.connect());
    await mkdir(path.join(setup.dataDir, 'agents', 'probe'), { recursive: true });
    await writeFile(path.join(setup.dataDir, 'agents', 'probe', 'agent.ts'), agent);
    await provisionStreams(plane.connection);
    await plane.#hearResults();
    return plane;
  }

  #consumer: WorkConsumer | undefined;

  async #hearResults(): Promise<void> {
    this.#consumer = await consumeWork(this.connection, {
      ...{ stream: 'RESULTS', durable: 'results', filterSubject: 'result.>' },
      ...{ ackWaitMs: 30_000, maxDeliver: 5, concurrency: 8, schema: toolResultMessageSchema },
      handler: async (result) => this.#results.push(result),
    });
  }

  async startWorker(env: NodeJS.ProcessEnv = {}): Promise<ToolWorkerProcess> {
    const worker = new ToolWorkerProcess({
      NATS_URL: this.setup.url,
      DATA_DIR: this.setup.dataDir,
      AGENTS_DIR: path.join(this.setup.dataDir, 'agents'),
      ACK_WAIT_MS: '1000',
      ...env,
    });
    this.workers.push(worker);
    await worker.ready;
    return worker;
  }

  /** Sends a call; answers its dispatch id. */
  async send({
    tool,
    args = {},
    policy = {},
    invocationId = `e-${crypto.randomUUID()}`,
  }: Call): Promise<string> {
    const dispatchId = `d-${String(++this.#calls).padStart(32, '0')}`;
    const message: ToolCallMessage = {
      ...{ appName: 'probe', userId: 'ada', sessionId: 's', invocationId },
      call: {
        ...{
          dispatchId,
          stepKey: 'k',
          index: 0,
          callId: 'c',
          agentName: 'agent',
          tool,
          pool: 'default',
          args,
        },
        policy: { timeoutMs: 20_000, maxAttempts: 5, sideEffect: 'idempotent', ...policy },
      },
      ticket: { dispatchId, attempt: 1, deadlineMs: Date.now() + 120_000, hmac: 'h' },
      state: {},
    };
    await publishWork(this.connection, subjects.tool('default'), message, { msgId: `${dispatchId}.1` });
    return dispatchId;
  }

  async resultOf(dispatchId: string, deadlineMs = 60_000): Promise<ToolResultMessage> {
    let found: ToolResultMessage | undefined;
    const find = (): boolean =>
      (found = this.#results.find(({ ticket }) => ticket.dispatchId === dispatchId)) !== undefined;
    await until(`the result of ${dispatchId}`, find, deadlineMs);
    return found as unknown as ToolResultMessage; // Set by the line above.
  }

  async run(call: Call): Promise<ToolResultMessage> {
    return this.resultOf(await this.send(call));
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.#consumer?.stop(0);
    await this.setup.stop();
  }
}
