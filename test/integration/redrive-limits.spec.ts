import { randomUUID } from 'node:crypto';
import {
  type CallRow,
  type DeadLetterDetails,
  deadLetterDetailsSchema,
  type Handover,
  subjects,
  type ToolCallMessage,
  toolCallMessageSchema,
  type ToolPolicy,
} from '@skein/contracts';
import { givenUp, storeResult } from '@skein/session-store';
import { sharedServices } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  consume,
  type FakeRunner,
  handoverOf,
  publishResult,
  startFakeRunner,
  statusOfCall,
  submitTo,
} from './session-svc-harness';

const LONE: ToolPolicy = {
  ...{ timeoutMs: 60_000, maxAttempts: 1, sideEffect: 'idempotent' },
  maxConcurrency: 1,
};

const { ground, atEnd } = sharedServices({}, 2);
let runner: FakeRunner;
const sent: ToolCallMessage[] = [];

beforeAll(async () => {
  atEnd.add(await consume(ground, 'TOOLS', toolCallMessageSchema, (message) => sent.push(message)));
  runner = await startFakeRunner(ground, atEnd);
});

/** Calls of one run that the plane ended, and whose run has read that. */
async function deadCalls(count: number, policy: ToolPolicy): Promise<{ run: Handover; calls: CallRow[] }> {
  const run = await handoverOf(runner, await submitTo(ground, aKey({ appName: `app-${randomUUID()}` })));
  const calls = Array.from({ length: count }, (_, index) => aCall({ index, policy }));
  const { runnerId } = runner;
  await appendTo(ground, aUnit(run, 1, { runnerId, has: [anEvent()], calls }));
  const { appName, userId, sessionId, invocationId } = run;
  for (const { dispatchId, tool } of calls) {
    const ticket = { dispatchId, attempt: 1, deadlineMs: 1, hmac: '' };
    const call = { ...{ appName, userId, sessionId, invocationId }, tool, ticket };
    const result = givenUp(call, { code: 'tool.deadline', message: 'too late' });
    await storeResult(ground.database.pool, result, { status: 'dead' });
  }
  const appliedCalls = calls.map(({ dispatchId }) => dispatchId);
  const finish = { status: 'completed', isRefusal: false } as const;
  await appendTo(ground, aUnit(run, 2, { runnerId, has: [anEvent()], appliedCalls, finish }));
  return { run, calls };
}

function ask(
  verb: 'inspect' | 'redrive',
  { appName }: Handover,
  { dispatchId }: CallRow,
): Promise<DeadLetterDetails> {
  const request = { appName, dispatchId, isForced: false };
  return ground.rpc.request(subjects.deadLetterRpc(verb), deadLetterDetailsSchema, request, {
    timeoutMs: 5_000,
  });
}

describe('dead letters that are sent again together', () => {
  it('run no more at once than their tool may, beside its other calls, and all come to their end', async () => {
    const { run, calls } = await deadCalls(4, LONE);
    const ids = calls.map(({ dispatchId }) => dispatchId);
    const again = () => sent.filter(({ ticket }) => ids.includes(ticket.dispatchId) && ticket.attempt === 2);

    await Promise.all(calls.map((call) => ask('redrive', run, call)));

    for (let ended = 0; ended < calls.length; ended++) {
      const next = await eventually(`redrive ${ended}`, () => again()[ended]);
      const { rows } = await ground.database.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM adk_tool_calls
          WHERE dispatch_id = ANY ($1) AND status IN ('dispatched', 'running')`,
        [ids],
      );
      expect([rows[0]?.n, again().length]).toEqual([1, ended + 1]);
      await publishResult(ground, run, next.ticket, ended);
    }
    for (const call of calls)
      await eventually('its result', async () => (await ask('inspect', run, call)).result);
    expect(new Set(again().map(({ ticket }) => ticket.dispatchId))).toEqual(new Set(ids));
    expect(await Promise.all(ids.map((id) => statusOfCall(ground, id)))).toEqual(ids.map(() => 'done'));
  }, 60_000);

  it('begin no faster than the rate of their tool', async () => {
    const rateLimit = { calls: 2, perMs: 60_000 };
    const { run, calls } = await deadCalls(5, { ...LONE, maxConcurrency: undefined, rateLimit });
    const ids = calls.map(({ dispatchId }) => dispatchId);
    // What was sent before they died used the rate up: it is full again.
    await ground.database.pool.query('UPDATE adk_tool_lanes SET tokens = 2, refilled_at = now()');

    await Promise.all(calls.map((call) => ask('redrive', run, call)));

    const again = () => sent.filter(({ ticket }) => ids.includes(ticket.dispatchId) && ticket.attempt === 2);
    await eventually('the two that may go', () => again()[1]);
    const waiting = await Promise.all(ids.map((id) => statusOfCall(ground, id)));
    expect(waiting.filter((status) => status === 'queued')).toHaveLength(3);
    expect(again()).toHaveLength(2);
  }, 60_000);
});
