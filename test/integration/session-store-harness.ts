import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import {
  type AppendUnit,
  type CallRow,
  type Event,
  type Handover,
  type SessionKey,
  type Submit,
  submitSchema,
} from '@skein/contracts';
import {
  AppendBatcher,
  type AppendBatcherOptions,
  createDataSource,
  migrate,
  poolOf,
  submitInput,
} from '@skein/session-store';
import { startEmbeddedPostgres } from '@skein/stack';
import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';

export interface TestDatabase {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly pool: Pool;
  stop(): Promise<void>;
}

/** A Postgres of its own for one spec file, migrated unless told otherwise. */
export async function startTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'skein-store-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  if (migrated) await migrate(postgres.url, 'up');
  const dataSource = await createDataSource({ databaseUrl: postgres.url }).initialize();
  return {
    url: postgres.url,
    dataSource,
    pool: poolOf(dataSource),
    stop: async () => {
      await dataSource.destroy();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const SECRET = 'secret of the tests';
export const LEASE_MS = 15_000;
const START_MS = 60_000;

/** What the specs of the store ask, from before the first test of a file until after its last. */
export interface StoreUnderTest {
  readonly url: string;
  readonly pool: Pool;
  readonly batcher: AppendBatcher;
}

/** To be called once at the top of a spec file: a Postgres and a batcher of its own. */
export function useStore(options: Partial<AppendBatcherOptions> = {}): StoreUnderTest {
  let database: TestDatabase | undefined;
  let batcher: AppendBatcher | undefined;
  beforeAll(async () => {
    database = await startTestDatabase();
    batcher = new AppendBatcher(database.pool, { secret: SECRET, leaseMs: LEASE_MS, ...options });
  }, START_MS);
  afterAll(() => database?.stop());
  return {
    get url() {
      return begun(database).url;
    },
    get pool() {
      return begun(database).pool;
    },
    get batcher() {
      return begun(batcher);
    },
  };
}

function begun<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the store is there within tests and their hooks');
  return part;
}

export function aKey(overrides: Partial<SessionKey> = {}): SessionKey {
  return { appName: 'app', userId: 'user', sessionId: randomUUID(), ...overrides };
}

export function anEvent(overrides: Partial<Event> = {}): Event {
  return {
    id: randomUUID(),
    timestamp: 1_763_640_000.123,
    invocationId: 'e-0',
    author: 'root_agent',
    content: { role: 'model', parts: [{ text: 'hello' }] },
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
    ...overrides,
  };
}

export function anEventWithDelta(stateDelta: Record<string, unknown>): Event {
  const event = anEvent();
  return { ...event, actions: { ...event.actions, stateDelta } };
}

/** A unit of the run a handover gave away; its events belong to that invocation. */
export function aUnit(
  handover: Handover,
  appendNo: number,
  overrides: Partial<AppendUnit> & { readonly has?: readonly Event[] } = {},
): AppendUnit {
  const { has = [], ...rest } = overrides;
  return {
    appName: handover.appName,
    userId: handover.userId,
    sessionId: handover.sessionId,
    invocationId: handover.invocationId,
    runnerId: 'runner-1',
    epoch: handover.epoch,
    segment: handover.segment,
    appendNo,
    events: has.map((event, index) => ({
      stepKey: `${handover.segment}/root.0/event.${appendNo}.${index}`,
      event: { ...event, invocationId: handover.invocationId },
    })),
    records: [],
    calls: [],
    appliedCalls: [],
    ...rest,
  };
}

export function aCall(overrides: Partial<CallRow> = {}): CallRow {
  return {
    dispatchId: `d-${randomUUID().replaceAll('-', '')}`,
    stepKey: '0/root.0/tools.0',
    index: 0,
    callId: 'adk-1',
    agentName: 'root',
    tool: 'add',
    pool: 'default',
    args: { a: 1 },
    policy: { timeoutMs: 1000, maxAttempts: 3, sideEffect: 'idempotent' },
    ...overrides,
  };
}

/** Submits to a session, made when it is not there, and claims it for `runner-1`. */
export async function startRun(pool: Pool, key: SessionKey, runnerId = 'runner-1'): Promise<Handover> {
  const { handover } = await submit(pool, key, { runnerId });
  if (!handover) throw new Error('the session was busy');
  return handover;
}

export async function submit(
  pool: Pool,
  key: SessionKey,
  { runnerId, ...request }: Record<string, unknown> & { readonly runnerId?: string } = {},
): ReturnType<typeof submitInput> {
  return submitInput(pool, aSubmit(key, request), { runnerId, leaseMs: LEASE_MS });
}

/** A message to a session, made when it is not there. */
export function aSubmit(key: SessionKey, request: Record<string, unknown> = {}): Submit {
  return submitSchema.parse({
    ...key,
    newMessage: { role: 'user', parts: [{ text: 'hi' }] },
    runConfig: {},
    autoCreateSession: true,
    ...request,
  });
}

/** Waits until `read` gives something, or fails naming what did not come. */
export async function eventually<T>(
  what: string,
  read: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 10_000,
): Promise<T> {
  const endMs = Date.now() + timeoutMs;
  while (Date.now() < endMs) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never happened: ${what}`);
}
