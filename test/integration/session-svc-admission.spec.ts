import { randomUUID } from 'node:crypto';
import {
  type CallRow,
  type Handover,
  subjects,
  type ToolCallMessage,
  toolCallMessageSchema,
  type ToolPolicy,
  type ToolResultMessage,
} from '@skein/contracts';
import { publishWork } from '@skein/messaging';
import { admitCalls, AppendBatcher } from '@skein/session-store';
import { sharedServices } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually, LEASE_MS, SECRET } from './session-store-harness';
import {
  appendTo,
  consume,
  type FakeRunner,
  handoverOf,
  startFakeRunner,
  submitTo,
  untilDone,
} from './session-svc-harness';

const LIMITED: ToolPolicy = {
  ...{ timeoutMs: 60_000, maxAttempts: 3, sideEffect: 'idempotent' },
  ...{ maxConcurrency: 2, backoffMs: 50 },
};

const { ground, atEnd } = sharedServices({}, 2);
let runner: FakeRunner;
const sent: ToolCallMessage[] = [];

beforeAll(async () => {
  atEnd.add(await consume(ground, 'TOOLS', toolCallMessageSchema, (message) => sent.push(message)));
  // It holds no result, so each is stored, which ends its call.
  runner = await startFakeRunner(ground, atEnd, undefined, 'unknown');
});

/** An app of its own for each test, so that its tool has a lane of its own. */
async function aRun(): Promise<Handover> {
  return handoverOf(runner, await submitTo(ground, aKey({ appName: `app-${randomUUID()}` })));
}

const callsOf = (count: number, policy = LIMITED): CallRow[] =>
  Array.from({ length: count }, (_, index) => aCall({ index, policy }));

function messageOf({ dispatchId }: CallRow, attempt = 1): Promise<ToolCallMessage> {
  return eventually(`attempt ${attempt} of ${dispatchId}`, () =>
    sent.find(({ ticket }) => ticket.dispatchId === dispatchId && ticket.attempt === attempt),
  );
}

async function answer(message: ToolCallMessage, more: Partial<ToolResultMessage> = {}): Promise<void> {
  const { appName, userId, sessionId, invocationId, call, ticket } = message;
  const result: ToolResultMessage = {
    ...{ appName, userId, sessionId, invocationId, tool: call.tool, ticket },
    outcome: { kind: 'result', value: 1 },
    actions: anEvent().actions,
    execution: { worker: 'w', pid: 1, attempt: ticket.attempt, durationMs: 1 },
    ...more,
  };
  const msgId = `r.${ticket.dispatchId}.${ticket.attempt}`;
  await publishWork(ground.connection, subjects.result(0), result, { msgId });
}

describe('two session services that admit calls', () => {
  it('send no more than may run at once, and the next as soon as one has ended', async () => {
    const run = await aRun();
    const calls = callsOf(8);
    const unit = aUnit(run, 1, { runnerId: runner.runnerId, has: [anEvent()], calls });
    const { tickets } = await appendTo(ground, unit);
    expect(tickets).toEqual([]);
    const ids = calls.map(({ dispatchId }) => dispatchId);
    const mine = (): ToolCallMessage[] => sent.filter(({ ticket }) => ids.includes(ticket.dispatchId));

    for (let ended = 0; ended < calls.length; ended++) {
      const next = await eventually(`message ${ended}`, () => mine()[ended]);
      expect(mine().length - ended).toBeLessThanOrEqual(2);
      await answer(next);
      await untilDone(ground, next.ticket);
    }

    expect(new Set(mine().map(({ ticket }) => ticket.dispatchId)).size).toBe(calls.length);
    expect(mine()).toHaveLength(calls.length);
  }, 60_000);

  it('send what another admitted and did not live to send, or stored and did not live to admit', async () => {
    const run = await aRun();
    const calls = callsOf(4);
    const { pool } = ground.database;
    const placeOf = () => ({ waits: true });
    const dying = new AppendBatcher(pool, { secret: SECRET, leaseMs: LEASE_MS, placeOf });
    await dying.append(aUnit(run, 1, { runnerId: runner.runnerId, has: [anEvent()], calls }));
    const tools = [{ appName: run.appName, tool: 'add' }];
    const { dispatchIds } = await admitCalls(pool, { pool: 'default', tools, capacity: 64, limit: 1 });
    expect(dispatchIds).toHaveLength(1);

    const [admitted] = dispatchIds;
    const mine = () => sent.filter(({ invocationId }) => invocationId === run.invocationId);
    await eventually('both that may run', () => (mine().length === 2 ? true : undefined), 20_000);

    expect(mine().map(({ ticket }) => ticket.dispatchId)).toContain(admitted);
  }, 60_000);

  it('have a failed attempt tried again, and the runner told of the last one only', async () => {
    const run = await aRun();
    const [call = aCall()] = callsOf(1);
    await appendTo(ground, aUnit(run, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] }));
    const failure = { outcome: { kind: 'error', code: 'tool.threw', message: 'no' }, retry: {} } as const;

    for (let attempt = 1; attempt <= 3; attempt++) await answer(await messageOf(call, attempt), failure);

    const told = await eventually('the result', () =>
      runner.results.find(({ ticket }) => ticket.dispatchId === call.dispatchId),
    );
    expect(told.execution.attempt).toBe(3);
    const { dispatchId } = call;
    const attempts = sent.filter(({ ticket }) => ticket.dispatchId === dispatchId);
    expect(attempts.map(({ ticket }) => ticket.attempt)).toEqual([1, 2, 3]);
    expect(
      runner.results.every(({ ticket }) => ticket.dispatchId !== dispatchId || ticket.attempt === 3),
    ).toBe(true);
  }, 60_000);

  it('answer an append that is repeated without tickets for what still waits', async () => {
    const run = await aRun();
    const unit = aUnit(run, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: callsOf(5) });
    const first = await appendTo(ground, unit);

    const again = await appendTo(ground, unit);

    expect(first.tickets).toEqual([]);
    expect(again.lastSeq).toBe(first.lastSeq);
    expect(again.tickets.length).toBeLessThanOrEqual(2);
  });
});
