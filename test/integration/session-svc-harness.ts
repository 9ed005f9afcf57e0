import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  appendedSchema,
  type Appended,
  type AppendUnit,
  type EventMessage,
  eventMessageSchema,
  type Handover,
  type PartialFrame,
  partialFrameSchema,
  type SessionKey,
  type StreamName,
  streams,
  subjects,
  type Submit,
  submittedSchema,
  type Submitted,
  type Ticket,
  type ToolResultMessage,
  type WorkMessage,
  workMessageSchema,
  type WorkReply,
} from '@skein/contracts';
import {
  connectNats,
  consumeWork,
  LocalPayloadStore,
  type MessagingConnection,
  publishCore,
  publishWork,
  RpcClient,
  type RpcServer,
  serveRpc,
  subscribeCore,
} from '@skein/messaging';
import { HealthServer, loadConfig, type Logger, Shutdown, silentLogger } from '@skein/platform';
import { startEmbeddedNats } from '@skein/stack';
import { z } from 'zod';
import { sessionServiceConfig } from '../../apps/session-svc/src/config';
import { startSessionService } from '../../apps/session-svc/src/start-session-service';
import { eventually, SECRET, startTestDatabase, type TestDatabase } from './session-store-harness';

/** A Postgres, a NATS and one client of both, for a spec that starts session-svc as often as it likes. */
export interface ServiceGround {
  readonly database: TestDatabase;
  readonly natsUrl: string;
  readonly connection: MessagingConnection;
  readonly rpc: RpcClient;
  startService(overrides?: Record<string, string>, log?: Logger): Promise<RunningService>;
  stop(): Promise<void>;
}

export interface RunningService {
  readonly health: HealthServer;
  stop(): Promise<void>;
}

const logger = silentLogger;

export async function startServiceGround(): Promise<ServiceGround> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'skein-svc-'));
  const database = await startTestDatabase();
  const nats = await startEmbeddedNats({ dataDir });
  const payloads = new LocalPayloadStore(path.join(dataDir, 'payloads'));
  const connection = await connectNats({
    url: nats.url,
    name: 'test',
    logger,
    payloads,
    payloadLimitBytes: 262_144,
  });
  return {
    database,
    natsUrl: nats.url,
    connection,
    rpc: new RpcClient(connection),
    startService: async (overrides = {}, log = logger) => {
      const config = loadConfig(sessionServiceConfig, {
        NATS_URL: nats.url,
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        SKEIN_SECRET: SECRET,
        // Nobody renews the leases of fake runners: none runs out but where a test says so.
        LEASE_MS: '120000',
        ...overrides,
      });
      const health = new HealthServer({ host: '127.0.0.1', port: 0 });
      const shutdown = new Shutdown(log);
      await startSessionService({ config, logger: log, health, shutdown });
      health.started();
      return { health, stop: () => shutdown.run() };
    },
    stop: async () => {
      await connection.close();
      await nats.stop();
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A runner that does only what a test tells it to. */
export class FakeRunner {
  readonly handovers: Handover[] = [];
  readonly results: Extract<WorkMessage, { kind: 'result' }>['result'][] = [];
  #server: RpcServer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #credit = 8;

  constructor(
    private readonly ground: ServiceGround,
    readonly runnerId: string,
    private readonly answer: (
      message: WorkMessage,
    ) => WorkReply['disposition'] | Promise<WorkReply['disposition']>,
  ) {}

  async start(): Promise<this> {
    const { connection } = this.ground;
    this.#server = serveRpc(connection, subjects.work(this.runnerId), {
      schema: workMessageSchema,
      handler: async (message): Promise<WorkReply> => {
        if (message.kind === 'run') this.handovers.push(message.handover);
        if (message.kind === 'result') this.results.push(message.result);
        const disposition = await this.answer(message);
        // Its next announcement says so: with all of its places free again it might be given what is for another runner.
        if (disposition === 'accepted' && message.kind === 'run')
          this.#credit = Math.max(0, this.#credit - 1);
        return { disposition };
      },
    });
    this.#timer = setInterval(() => void this.#announce(), 300);
    await this.#announce().then(() => this.#heard());
    return this;
  }

  async setCredit(credit: number): Promise<void> {
    this.#credit = credit;
    await this.#announce();
  }

  /** Its credit as of now, and no word of it from then on. */
  async announceOnce(credit: number): Promise<void> {
    clearInterval(this.#timer);
    await this.setCredit(credit);
  }

  async stop(): Promise<void> {
    await this.announceOnce(0);
    await this.#server?.close();
  }

  /** The announcement went before this request to the same process, which answers it after a visit to Postgres. */
  async #heard(): Promise<void> {
    const unknown = { appName: 'app', userId: 'user', sessionId: randomUUID() };
    await this.ground.rpc.request(subjects.sessionRpc('get'), z.null(), unknown, { timeoutMs: 5_000 });
  }

  async #announce(): Promise<void> {
    const { runnerId, ground } = this;
    await publishCore(ground.connection, subjects.runnerAnnouncement, { runnerId, credit: this.#credit });
  }
}

type Answer = ConstructorParameters<typeof FakeRunner>[2];

/** A runner's id, a new one when it is left out, and what it answers: a disposition is what it says of results, `applied` without one. */
export type HowItAnswers = [runnerId?: string, answer?: Answer | WorkReply['disposition']];

/** A runner that is gone after the test. */
export async function startFakeRunner(
  ground: ServiceGround,
  cleanup: Cleanup,
  ...[runnerId, answer]: HowItAnswers
): Promise<FakeRunner> {
  const says: Answer =
    typeof answer === 'function'
      ? answer
      : ({ kind }) => (kind === 'run' ? 'accepted' : (answer ?? 'applied'));
  const runner = await new FakeRunner(ground, runnerId ?? `runner-${randomUUID()}`, says).start();
  cleanup.add(() => runner.stop());
  return runner;
}

/** Of one invocation: a runner is also handed what earlier tests left behind, once its lease ran out. */
export function handoverOf(
  runner: FakeRunner,
  { invocationId }: Pick<Submitted, 'invocationId'>,
  segment = 0,
): Promise<Handover> {
  return eventually(`the hand-over of ${invocationId}`, () =>
    runner.handovers.find((one) => one.invocationId === invocationId && one.segment === segment),
  );
}

/** Of one call, for the same reason. */
export function resultOf(
  runner: FakeRunner,
  call: Pick<Ticket, 'dispatchId'>,
): Promise<FakeRunner['results'][number]> {
  return eventually(`the result of ${call.dispatchId}`, () =>
    runner.results.find(({ ticket }) => ticket.dispatchId === call.dispatchId),
  );
}

export function submitTo(ground: ServiceGround, request: Partial<Submit>): Promise<Submitted> {
  const body = {
    newMessage: { role: 'user', parts: [{ text: 'hi' }] },
    runConfig: {},
    autoCreateSession: true,
    ...request,
  };
  return ground.rpc.request(subjects.sessionRpc('submit'), submittedSchema, body, { timeoutMs: 5_000 });
}

export function appendTo(ground: ServiceGround, unit: AppendUnit): Promise<Appended> {
  return ground.rpc.request(subjects.sessionRpc('append'), appendedSchema, unit, { timeoutMs: 10_000 });
}

type RunOfCall = Pick<ToolResultMessage, 'appName' | 'userId' | 'sessionId' | 'invocationId'>;

/** A result as a tool-worker would send it. */
export async function publishResult(
  ground: ServiceGround,
  handover: RunOfCall,
  ticket: Ticket | undefined,
  value: unknown = 3,
): Promise<void> {
  if (!ticket) throw new Error('the call got no ticket');
  const { dispatchId, attempt } = ticket;
  const result: ToolResultMessage = {
    appName: handover.appName,
    userId: handover.userId,
    sessionId: handover.sessionId,
    invocationId: handover.invocationId,
    tool: 'add',
    ticket,
    outcome: { kind: 'result', value },
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
    execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
  };
  const msgId = `r.${dispatchId}.${attempt}.${randomUUID()}`;
  await publishWork(ground.connection, subjects.result(0), result, { msgId });
}

export async function statusOfCall(ground: ServiceGround, dispatchId: string): Promise<string | undefined> {
  const { rows } = await ground.database.pool.query<{ status: string }>(
    'SELECT status FROM adk_tool_calls WHERE dispatch_id = $1',
    [dispatchId],
  );
  return rows[0]?.status;
}

/** Settles once the result of a call is stored here. */
export async function untilDone(
  ground: ServiceGround,
  { dispatchId }: Pick<Ticket, 'dispatchId'>,
): Promise<void> {
  await eventually(`the end of ${dispatchId}`, async () =>
    (await statusOfCall(ground, dispatchId)) === 'done' ? true : undefined,
  );
}

/** What a test opened, closed after it in reverse. */
export class Cleanup {
  readonly #stops: (() => unknown)[] = [];

  add(stop: () => unknown): void {
    this.#stops.push(stop);
  }

  async run(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}

/**
 * A session's events as they are published from now on, each where it came first: one whose storing was not confirmed in
 * time is published once more, and whoever follows drops what they have.
 */
export async function follow(
  ground: ServiceGround,
  cleanup: Cleanup,
  key: SessionKey,
): Promise<EventMessage[]> {
  const messages: EventMessage[] = [];
  await hear(ground, cleanup, { subject: subjects.event(key), schema: eventMessageSchema }, (message) => {
    if (!messages.some(({ seq }) => seq === message.seq)) messages.push(message);
  });
  return messages;
}

/** A session's frames that are not stored, from now on. */
export async function followPartials(
  ground: ServiceGround,
  cleanup: Cleanup,
  key: SessionKey,
): Promise<PartialFrame[]> {
  const frames: PartialFrame[] = [];
  await hear(ground, cleanup, { subject: subjects.partial(key), schema: partialFrameSchema }, (frame) =>
    frames.push(frame),
  );
  return frames;
}

async function hear<Schema extends z.ZodType>(
  { connection }: ServiceGround,
  cleanup: Cleanup,
  { subject, schema }: { readonly subject: string; readonly schema: Schema },
  take: (message: z.output<Schema>) => void,
): Promise<void> {
  const subscription = subscribeCore(connection, subject, schema, take);
  cleanup.add(() => subscription.close());
  await connection.flush();
}

/** Collects the messages of a work queue. */
export async function consume<Schema extends z.ZodType>(
  ground: ServiceGround,
  stream: StreamName,
  schema: Schema,
  handler: (body: z.output<Schema>) => void,
): Promise<() => Promise<void>> {
  const consumer = await consumeWork(ground.connection, {
    stream,
    durable: 'test',
    filterSubject: streams[stream][0],
    ackWaitMs: 30_000,
    maxDeliver: 5,
    concurrency: 8,
    schema,
    handler: async (body) => handler(body),
  });
  return () => consumer.stop(100);
}
