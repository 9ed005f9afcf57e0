import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { jetstreamManager } from '@nats-io/jetstream';
import {
  type AgainCall,
  againCallSchema,
  type AgainVerdict,
  AdkError,
  beginToolSchema,
  openQueueSchema,
  type BeginTool,
  type BegunTool,
  type ReturnCall,
  returnCallSchema,
  type ReturnedCall,
  streams,
  subjects,
  type ToolCallMessage,
  type ToolPolicy,
  type ToolProgress,
  toolPriorities,
  toolProgressSchema,
  toolQueue,
  type ToolResultMessage,
  toolResultMessageSchema,
  type WorkerAnnouncement,
  workerAnnouncementSchema,
} from '@skein/contracts';
import {
  consumeWork,
  ensureConsumer,
  type MessagingConnection,
  provisionStreams,
  publishCore,
  publishWork,
  serveRpc,
  subscribeCore,
  type WorkConsumer,
} from '@skein/messaging';
import { z } from 'zod';
import { type NatsAccess } from '@skein/stack';
import { type NatsSetup, startNats, until } from '../messaging-setup';

/** How a worker of one kind is started: its tools are those of the contract, of the app `contract`. */
export interface WorkerKind {
  readonly kind: string;
  readonly command: (dataDir: string) => readonly [string, ...string[]];
  readonly env: (dataDir: string) => NodeJS.ProcessEnv;
}

export interface CallOptions {
  readonly args?: Record<string, unknown>;
  readonly policy?: Partial<ToolPolicy>;
  readonly invocationId?: string;
  readonly state?: Record<string, unknown>;
  readonly deadlineMs?: number;
  /** How often it was handed back before. */
  readonly returned?: number;
  /** How often others may have started it. */
  readonly started?: number;
  /** Where a runner is asked to take its result. */
  readonly answerTo?: string;
}

export const POOL = 'contract';
/** The worker's NATS user, on a server that knows users. */
export const USER = 'tool-worker';
/** What the queue has; the worker would like its messages to be waited for for longer. */
const BOUNDS = { ackWaitMs: 1_000, maxDeliver: 100 };

/** The other end of the tool protocol, as a worker of any language sees it: a real NATS, and what session-svc answers. */
export class WorkerBed {
  readonly results: ToolResultMessage[] = [];
  /** The results that runners were asked to take, and what they say. */
  readonly asked: ToolResultMessage[] = [];
  runner: () => Promise<unknown> = async () => ({ disposition: 'unknown' });
  /** Where those in the queue were sent to. */
  readonly resultSubjects: string[] = [];
  readonly progress: ToolProgress[] = [];
  readonly announcements: WorkerAnnouncement[] = [];
  readonly begun: BeginTool[] = [];
  /** Why messages were refused for good. */
  readonly refused: string[] = [];
  verdict: BegunTool['verdict'] = 'run';
  /** The calls that were handed back. */
  readonly handedBack: ReturnCall[] = [];
  /** What is said of a call that is handed back; session-svc is away where it is undefined. */
  returned: ReturnedCall['verdict'] | undefined = 'returned';
  /** The calls that others may have died of, and what is said of them; session-svc is away where it is undefined. */
  readonly again: AgainCall[] = [];
  mayRunAgain: AgainVerdict | undefined = { verdict: 'run', attempt: 2 };
  log = '';
  #child: ChildProcess | undefined;
  #consumer: WorkConsumer | undefined;
  #calls = 0;

  private constructor(
    private readonly setup: NatsSetup,
    private readonly connection: MessagingConnection,
    private readonly kind: WorkerKind,
    private readonly access?: NatsAccess,
  ) {}

  static async start(kind: WorkerKind, access?: NatsAccess): Promise<WorkerBed> {
    const setup = await startNats(access);
    const connection = await setup.connect();
    const bed = new WorkerBed(setup, connection, kind, access);
    await provisionStreams(connection);
    bed.#answer();
    await bed.#takeResults();
    await connection.flush();
    return bed;
  }

  async startWorker(name = 'worker-1', env: NodeJS.ProcessEnv = {}): Promise<void> {
    const { dataDir, url } = this.setup;
    const [program, ...args] = this.kind.command(dataDir);
    const child = spawn(program, args, {
      env: {
        PATH: process.env.PATH,
        ...{
          NATS_URL: this.access?.urlOf(url, USER) ?? url,
          DATA_DIR: dataDir,
          TOOL_POOLS: POOL,
          ACK_WAIT_MS: '30000',
        },
        ...{ SKEIN_PROCESS_NAME: name, ...this.kind.env(dataDir), ...env },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    await this.until('the worker announces itself', () =>
      this.announcements.some((said) => said.worker === name && !said.isLeaving),
    );
  }

  /** Puts a call into the pool's queue; answers its dispatch id. */
  async call(tool: string, options: CallOptions = {}): Promise<string> {
    const dispatchId = `d-${String(++this.#calls).padStart(32, '0')}`;
    const { args = {}, policy, state = {}, deadlineMs = Date.now() + 60_000 } = options;
    const { invocationId = `e-${crypto.randomUUID()}` } = options;
    const message: ToolCallMessage = {
      ...{ appName: 'contract', userId: 'ada', sessionId: 's', invocationId, state },
      call: {
        ...{ dispatchId, stepKey: 'k', index: 0, callId: 'c', agentName: 'agent', tool, pool: POOL, args },
        policy: { timeoutMs: 20_000, maxAttempts: 5, sideEffect: 'idempotent', ...policy },
      },
      ticket: { dispatchId, attempt: 1, deadlineMs, hmac: `signed-${dispatchId}` },
      ...(options.returned !== undefined && { returned: options.returned }),
      ...(options.answerTo !== undefined && { answerTo: options.answerTo }),
    };
    const headers: Record<string, string> =
      options.started === undefined ? {} : { 'Skein-Started': String(options.started) };
    await publishWork(this.connection, subjects.tool(POOL), message, { msgId: `${dispatchId}.1`, headers });
    return dispatchId;
  }

  /** Puts what is no call into the pool's queue. */
  async sendWrong(msgId: string): Promise<void> {
    await publishWork(this.connection, subjects.tool(POOL), ['no call'], { msgId });
  }

  async resultOf(dispatchId: string): Promise<ToolResultMessage> {
    const find = (): ToolResultMessage | undefined =>
      this.results.find(({ ticket }) => ticket.dispatchId === dispatchId);
    await this.until(`the result of ${dispatchId}`, find);
    const found = find();
    if (!found) throw new Error('it was there a moment ago');
    return found;
  }

  async cancel(invocationId: string): Promise<void> {
    await publishCore(this.connection, subjects.cancelledCalls, { invocationId });
  }

  /** Messages in TOOLS: those not settled yet, whoever has them. */
  async waiting(): Promise<number> {
    const { streams: known } = await jetstreamManager(this.connection.nats);
    return (await known.info('TOOLS')).state.messages;
  }

  /** Asks the worker to end, and answers how it did. */
  async stopWorker(): Promise<number | null> {
    const child = this.#child;
    if (!child) throw new Error('no worker was started');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null]; // As node documents it.
    return code;
  }

  async until(what: string, condition: () => unknown): Promise<void> {
    await until(what, condition, 60_000).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.log.slice(-4_000)}`);
    });
  }

  async stop(): Promise<void> {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await ended;
    }
    await this.#consumer?.stop(0);
    await this.setup.stop();
  }

  /** What a worker may ask, and what it says to whoever listens. */
  #answer(): void {
    const { connection } = this;
    serveRpc(connection, subjects.callRpc('clock'), {
      schema: z.object({}),
      handler: async () => ({ nowMs: Date.now() }),
    });
    serveRpc(connection, subjects.callRpc('begin'), {
      schema: beginToolSchema,
      handler: async (request) => {
        this.begun.push(request);
        return { verdict: this.verdict };
      },
    });
    serveRpc(connection, subjects.callRpc('again'), {
      schema: againCallSchema,
      handler: async (request) => {
        this.again.push(request);
        return this.mayRunAgain ?? away();
      },
    });
    serveRpc(connection, subjects.callRpc('return'), {
      schema: returnCallSchema,
      handler: async (request) => {
        this.handedBack.push(request);
        return { verdict: this.returned ?? away() };
      },
    });
    serveRpc(connection, subjects.answer('runner-1'), {
      schema: toolResultMessageSchema,
      handler: (result) => {
        this.asked.push(result);
        return this.runner();
      },
    });
    for (const priority of toolPriorities) {
      serveRpc(connection, `rpc.queue.TOOLS.${POOL}.${priority}`, {
        schema: openQueueSchema,
        handler: async () => {
          await ensureConsumer(connection, { ...toolQueue(POOL, priority), ...BOUNDS });
          return BOUNDS;
        },
      });
    }
    for (const subject of [subjects.workerAnnouncement, subjects.everyWorkerAnnouncement]) {
      subscribeCore(connection, subject, workerAnnouncementSchema, (said) => this.announcements.push(said));
    }
    subscribeCore(
      connection,
      '$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.TOOLS.*',
      z.object({ reason: z.string() }),
      ({ reason }) => this.refused.push(reason),
    );
    subscribeCore(connection, 'progress.*', toolProgressSchema, (said) => this.progress.push(said));
  }

  async #takeResults(): Promise<void> {
    this.#consumer = await consumeWork(this.connection, {
      ...{ stream: 'RESULTS', durable: 'results', filterSubject: streams.RESULTS[0] },
      ...{ ackWaitMs: 30_000, maxDeliver: 5, concurrency: 8, schema: toolResultMessageSchema },
      handler: async (result, { subject }) => {
        this.resultSubjects.push(subject);
        this.results.push(result);
      },
    });
  }
}

function away(): never {
  throw new AdkError('unavailable', 'test.away', 'away');
}
