import { randomUUID } from 'node:crypto';
import {
  type CallRow,
  type Handover,
  subjects,
  type Ticket,
  type ToolCallMessage,
  toolCallMessageSchema,
  type ToolPriority,
  toolQueue,
} from '@skein/contracts';
import { consumeWork, publishWork } from '@skein/messaging';
import { announceWorker } from './announced-worker';
import { sharedServices } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  type FakeRunner,
  handoverOf,
  publishResult,
  startFakeRunner,
  submitTo,
  untilDone,
} from './session-svc-harness';

/** What the worker of these tests runs at once. */
const CAPACITY = 16;
/** A quarter more than that is under way in a pool, so that no worker is idle for a round. */
const AHEAD = CAPACITY / 4;
const APP = 'app';

const { ground, cleanup, atEnd } = sharedServices();
let runner: FakeRunner;

beforeAll(async () => {
  runner = await startFakeRunner(ground, atEnd, undefined, 'unknown');
  await runner.setCredit(1_000);
});

/** Says that it is there; what it takes runs until it is told to end it. */
async function aWorker(pool: string) {
  const started: ToolCallMessage[] = [];
  const ends = new Map<string, () => void>();
  await announceWorker(ground, cleanup, { pool, tools: ['add'], concurrency: CAPACITY });
  const worker = await consumeWork(ground.connection, {
    ...toolQueue(pool),
    ...{ ackWaitMs: 30_000, maxDeliver: 5, concurrency: CAPACITY, schema: toolCallMessageSchema },
    handler: async (message) => {
      started.push(message);
      await new Promise<void>((resolve) => ends.set(message.call.dispatchId, resolve));
    },
  });
  cleanup.add(async () => {
    for (const end of ends.values()) end();
    await worker.stop(1_000);
  });

  /** Ends the call that has run longest; settles when its end is stored and the next one has begun. */
  async function endOne(): Promise<void> {
    const before = started.length;
    const [[dispatchId, end] = []] = ends;
    const message = started.find(({ call }) => call.dispatchId === dispatchId);
    if (!dispatchId || !end || !message) throw new Error('nothing runs');
    ends.delete(dispatchId);
    await publishResult(ground, message, message.ticket);
    await untilDone(ground, message.ticket);
    end();
    await eventually('the next one', () => started[before]);
  }
  return { started, endOne };
}

interface TicketedCall {
  readonly run: Handover;
  readonly call: CallRow;
  readonly ticket: Ticket;
}

/** Each user has one, so that no share is in the way. */
async function storeCalls(pool: string, count: number, priority: ToolPriority): Promise<CallRow[]> {
  const calls: CallRow[] = [];
  for (let n = 0; n < count; n++) {
    const key = aKey({ appName: APP, userId: randomUUID() });
    const run = await handoverOf(runner, await submitTo(ground, key));
    const policy = { timeoutMs: 60_000, maxAttempts: 1, sideEffect: 'idempotent', priority } as const;
    const call = aCall({ pool, policy });
    const unit = { runnerId: runner.runnerId, has: [anEvent()], calls: [call] };
    const { tickets } = await appendTo(ground, aUnit(run, 1, unit));
    calls.push(call);
    const [ticket] = tickets;
    if (ticket) await sendAsItsRunner({ run, call, ticket });
  }
  return calls;
}

async function sendAsItsRunner({ run, call, ticket }: TicketedCall): Promise<void> {
  const { appName, userId, sessionId, invocationId } = run;
  const message: ToolCallMessage = { appName, userId, sessionId, invocationId, call, ticket, state: {} };
  await publishWork(ground.connection, subjects.tool(call.pool), message, { msgId: `${call.dispatchId}.1` });
}

describe('a call of high priority that comes while all workers of its pool are busy', () => {
  it('is begun after no more calls of others than a quarter of what the workers run', async () => {
    const pool = `pool-${randomUUID()}`;
    const worker = await aWorker(pool);
    await storeCalls(pool, 64, 'normal');
    await eventually('all workers busy', () => worker.started[CAPACITY - 1]);

    expect(await beginsAfter(worker, pool)).toBeLessThanOrEqual(AHEAD);
  }, 60_000);

  it('and came to a pool whose calls were there before any worker, as well', async () => {
    const pool = `pool-${randomUUID()}`;
    await storeCalls(pool, 64, 'normal');
    const worker = await aWorker(pool);
    await eventually('all workers busy', () => worker.started[CAPACITY - 1]);

    expect(await beginsAfter(worker, pool)).toBeLessThanOrEqual(AHEAD);
  }, 60_000);
});

/** How many calls of others begin between the coming of one of high priority and its own begin. */
async function beginsAfter(worker: Awaited<ReturnType<typeof aWorker>>, pool: string): Promise<number> {
  const [high] = await storeCalls(pool, 1, 'high');
  const before = worker.started.length;
  const at = () => worker.started.findIndex(({ call }) => call.dispatchId === high?.dispatchId);
  while (at() < 0) await worker.endOne();
  return at() - before;
}
