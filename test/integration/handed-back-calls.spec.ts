import { randomUUID } from 'node:crypto';
import {
  type CallRow,
  type ReturnCall,
  type ReturnedCall,
  returnedCallSchema,
  subjects,
  toolCallMessageSchema,
  type ToolCallMessage,
} from '@skein/contracts';
import { givenUp, mintTicket, storeResult } from '@skein/session-store';
import { z } from 'zod';
import { announceWorker } from './announced-worker';
import { sharedServices } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  consume,
  type FakeRunner,
  handoverOf,
  publishResult,
  resultOf,
  startFakeRunner,
  statusOfCall,
  submitTo,
} from './session-svc-harness';

const { ground, cleanup } = sharedServices({ SWEEP_MS: '200' });
let runner: FakeRunner;
/** What came out of TOOLS, as whichever worker took it. */
let taken: ToolCallMessage[];
/** By then every live worker was heard: in its first five seconds session-svc cannot tell that one is not there. */
let informedAtMs: number;

beforeAll(() => {
  informedAtMs = performance.now() + 5_100;
});
beforeEach(async () => {
  taken = [];
  cleanup.add(await consume(ground, 'TOOLS', toolCallMessageSchema, (message) => taken.push(message)));
  runner = await startFakeRunner(ground, cleanup);
});

const policy = { timeoutMs: 60_000, maxAttempts: 1, sideEffect: 'idempotent' } as const;

/** A call a worker has in hand, of a pool of its own. */
async function aGivenCall(options: Partial<CallRow> = {}): Promise<ToolCallMessage> {
  const handover = await handoverOf(runner, await submitTo(ground, aKey({ appName: 'app' })));
  const call = aCall({ policy, pool: `pool-${randomUUID()}`, ...options });
  const unit = aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] });
  const [ticket] = (await appendTo(ground, unit)).tickets;
  if (!ticket) throw new Error('the call got no ticket');
  const { appName, userId, sessionId, invocationId } = handover;
  return { appName, userId, sessionId, invocationId, call, ticket, state: {} };
}

const aWorkerWith = (pool: string, tools: string[], hasToolsets = false): Promise<() => void> =>
  announceWorker(ground, cleanup, { pool, tools, hasToolsets });

function giveBack(message: ToolCallMessage, said: Partial<ReturnCall> = {}): Promise<ReturnedCall> {
  const { call, ticket, invocationId, returned = 0 } = message;
  const request = { tool: call.tool, ticket, invocationId, returned, started: 0, reason: 'unknown', ...said };
  return ground.rpc.request(subjects.callRpc('return'), returnedCallSchema, request, { timeoutMs: 5_000 });
}

function deliveredAfter({ call }: ToolCallMessage, returned: number): ToolCallMessage | undefined {
  return taken.find((one) => one.call.dispatchId === call.dispatchId && one.returned === returned);
}

function deliveryOf(given: ToolCallMessage, returned: number): Promise<ToolCallMessage> {
  return eventually(`delivery after return ${returned}`, () => deliveredAfter(given, returned));
}

describe('a call that its worker hands back', () => {
  it('comes to a worker again, as the same attempt, however often it is handed back', async () => {
    const given = await aGivenCall();
    await aWorkerWith(given.call.pool, ['add']);

    let message = given;
    for (let times = 1; times <= 3; times++) {
      expect(await giveBack(message)).toEqual({ verdict: 'returned' });
      message = await deliveryOf(given, times);
    }

    expect(message.ticket.attempt).toBe(1);
    expect(message.call).toEqual(given.call);
    await publishResult(ground, await handoverOf(runner, given), message.ticket);
    expect((await resultOf(runner, given.call)).outcome.kind).toBe('result');
  }, 30_000);

  it('keeps the attempts others began under its ticket (row 33)', async () => {
    const given = await aGivenCall({ policy: { ...policy, maxAttempts: 5 } });
    await aWorkerWith(given.call.pool, ['add']);

    await giveBack(given, { started: 2 });

    expect((await deliveryOf(given, 1)).ticket.attempt).toBe(3);
  });

  it('is handed back once, however often that is said of one message of it (rows 17, 20)', async () => {
    const given = await aGivenCall();
    await aWorkerWith(given.call.pool, ['add']);

    const said = await Promise.all(Array.from({ length: 5 }, () => giveBack(given)));

    expect(said.map(({ verdict }) => verdict).sort()).toEqual(['over', 'over', 'over', 'over', 'returned']);
    await deliveryOf(given, 1);
    expect(await giveBack(given)).toEqual({ verdict: 'over' });
    expect(await statusOfCall(ground, given.call.dispatchId)).toBe('dispatched');
  });

  it('comes again, as the same attempt, when workers leave before they began it', async () => {
    const given = await aGivenCall();
    await aWorkerWith(given.call.pool, ['add']);

    for (let times = 0; times < 4; times++) {
      const message = times === 0 ? given : await deliveryOf(given, times);
      expect(await giveBack(message, { reason: 'unstarted' })).toEqual({ verdict: 'returned' });
    }

    expect((await deliveryOf(given, 4)).ticket.attempt).toBe(1);
  }, 30_000);

  it('is for nobody by the workers it met without its tool alone, not by those that left', async () => {
    const [met, left] = [await aGivenCall(), await aGivenCall()];
    for (const { call } of [met, left]) await aWorkerWith(call.pool, ['another'], true);
    await eventually('all to be heard', () => performance.now() > informedAtMs || undefined, 10_000);
    const wasReturned = 'UPDATE adk_tool_calls SET returned = 10, missed = $2 WHERE dispatch_id = $1';
    await ground.database.pool.query(wasReturned, [met.call.dispatchId, 10]);
    await ground.database.pool.query(wasReturned, [left.call.dispatchId, 9]);

    expect(await giveBack(met, { returned: 10 })).toEqual({ verdict: 'unknown' });
    expect(await giveBack(left, { returned: 10 })).toEqual({ verdict: 'returned' });
  }, 30_000);

  it('waits for the worker that has its tool while that one is away, and is not ended for it', async () => {
    const given = await aGivenCall();
    await aWorkerWith(given.call.pool, ['another']);

    expect(await giveBack(given, { returned: 0 })).toEqual({ verdict: 'returned' });
    expect(await statusOfCall(ground, given.call.dispatchId)).toBe('queued');
    expect(taken).toEqual([]);

    await aWorkerWith(given.call.pool, ['add']);

    await deliveryOf(given, 1);
  }, 30_000);

  it('goes on while a live worker names its tool, and is for nobody when only toolsets may have it', async () => {
    const [named, unnamed] = [await aGivenCall(), await aGivenCall()];
    await aWorkerWith(named.call.pool, ['add']);
    await aWorkerWith(unnamed.call.pool, ['another'], true);
    await eventually('all to be heard', () => performance.now() > informedAtMs || undefined, 10_000);
    for (const { call } of [named, unnamed])
      await ground.database.pool.query(
        'UPDATE adk_tool_calls SET returned = 10, missed = 10 WHERE dispatch_id = $1',
        [call.dispatchId],
      );

    expect(await giveBack(named, { returned: 10 })).toEqual({ verdict: 'returned' });
    expect(await giveBack(unnamed, { returned: 10 })).toEqual({ verdict: 'unknown' });
    expect(await giveBack(unnamed, { returned: 0, reason: 'away' })).toEqual({ verdict: 'unknown' });
    expect(await statusOfCall(ground, unnamed.call.dispatchId)).toBe('dispatched');
  }, 30_000);

  it('ends by its start deadline where it meets nobody who runs it', async () => {
    const given = await aGivenCall({ policy: { ...policy, scheduleToStartTimeoutMs: 2_500 } });
    await aWorkerWith(given.call.pool, ['add']);

    const { dispatchId } = given.call;
    const ended = () => runner.results.find(({ ticket }) => ticket.dispatchId === dispatchId);
    for (let message: ToolCallMessage | undefined = given; message;) {
      const returned: number = (message.returned ?? 0) + 1;
      await giveBack(message);
      await eventually('its next delivery, or its end', () => ended() ?? deliveredAfter(given, returned));
      message = ended() ? undefined : deliveredAfter(given, returned);
    }

    expect((await resultOf(runner, given.call)).outcome).toMatchObject({
      kind: 'error',
      code: 'tool.not-started',
    });
  }, 30_000);

  it('comes again when it was sent again by hand', async () => {
    const given = await aGivenCall();
    const { dispatchId } = given.call;
    const { pool } = ground.database;
    const lost = givenUp({ ...given, tool: given.call.tool }, { code: 'tool.deadline', message: 'too late' });
    await storeResult(pool, lost, { status: 'dead' });
    await pool.query('UPDATE adk_tool_calls SET applied_seq = 2 WHERE dispatch_id = $1', [dispatchId]);
    const redrive = { appName: 'app', dispatchId, isForced: false };
    await ground.rpc.request(subjects.deadLetterRpc('redrive'), z.unknown(), redrive, { timeoutMs: 5_000 });
    const redriven = await eventually('the redrive', () =>
      taken.find(({ call, ticket }) => call.dispatchId === dispatchId && ticket.attempt === 2),
    );

    const said = await Promise.all([giveBack(redriven), giveBack(redriven)]);

    expect(said.map(({ verdict }) => verdict).sort()).toEqual(['over', 'returned']);
    // The sweep gives whoever sends one the time to say that it did.
    await pool.query(
      `UPDATE adk_dead_letters SET redriven_at = now() - interval '1 min' WHERE dispatch_id = $1`,
      [dispatchId],
    );
    expect((await deliveryOf(given, 1)).ticket).toEqual(redriven.ticket);
  });

  it('is handed back by nobody but who has its ticket (row 16)', async () => {
    const [given, other] = [await aGivenCall(), await aGivenCall()];
    const { hmac: _hmac, ...claims } = given.ticket;
    const forged = [
      { ticket: mintTicket('another secret', 'add', claims) },
      { ticket: { ...given.ticket, dispatchId: other.ticket.dispatchId } },
      { ticket: { ...given.ticket, attempt: 2 } },
      { tool: 'subtract' },
    ];

    for (const one of forged)
      await expect(giveBack(given, one)).rejects.toMatchObject({ code: 'call.forged' });
    expect(await statusOfCall(ground, given.call.dispatchId)).toBe('dispatched');
    expect(await statusOfCall(ground, other.call.dispatchId)).toBe('dispatched');
  });

  it('stays as it is when it has its result (row 17)', async () => {
    const given = await aGivenCall();
    await publishResult(ground, await handoverOf(runner, given), given.ticket);
    await resultOf(runner, given.call);
    await ground.database.pool.query(
      `UPDATE adk_tool_calls SET status = 'done', result = '{}' WHERE dispatch_id = $1`,
      [given.call.dispatchId],
    );

    expect(await giveBack(given)).toEqual({ verdict: 'over' });
    expect(await statusOfCall(ground, given.call.dispatchId)).toBe('done');
  });
});
