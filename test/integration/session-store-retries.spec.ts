import { type Handover, type ToolPolicy, type ToolResultMessage } from '@skein/contracts';
import {
  admitCalls,
  cancelInvocation,
  mintTicket,
  readAdmittedCalls,
  retryCall,
  returnCall,
  type RetryVerdict,
  storeResult,
} from '@skein/session-store';
import { aCall, aKey, anEvent, aUnit, SECRET, startRun, useStore } from './session-store-harness';

const store = useStore();
const POLICY: ToolPolicy = { timeoutMs: 1_000, maxAttempts: 3, sideEffect: 'idempotent' };

interface Sent {
  readonly run: Handover;
  readonly dispatchId: string;
}

async function aSentCall(policy: Partial<ToolPolicy> = {}): Promise<Sent> {
  const run = await startRun(store.pool, aKey());
  const call = aCall({ policy: { ...POLICY, ...policy } });
  await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
  return { run, dispatchId: call.dispatchId };
}

/** What a worker says of an attempt that failed; `ran` counts those that a worker died in, too. */
function failed(
  { run, dispatchId }: Sent,
  attempt: number,
  ran = attempt,
  afterMs?: number,
): ToolResultMessage {
  return {
    ...{ appName: run.appName, userId: run.userId, sessionId: run.sessionId },
    ...{ invocationId: run.invocationId, tool: 'add' },
    ticket: mintTicket(SECRET, 'add', { dispatchId, attempt, deadlineMs: 0 }),
    outcome: { kind: 'error', code: 'tool.threw', message: 'no' },
    actions: anEvent().actions,
    execution: { worker: 'w', pid: 1, attempt: ran, durationMs: 1 },
    retry: afterMs === undefined ? {} : { afterMs },
  };
}

async function admitNow({ dispatchId }: Sent): Promise<number | undefined> {
  await store.pool.query(
    `UPDATE adk_tool_calls SET not_before = now() - interval '1 s' WHERE dispatch_id = $1`,
    [dispatchId],
  );
  const tools = [{ appName: 'app', tool: 'add' }];
  await admitCalls(store.pool, { pool: 'default', tools, capacity: 1_000 });
  const [call] = await readAdmittedCalls(store.pool, SECRET, [dispatchId]);
  return call?.message.ticket.attempt;
}

function waitOf(verdict: RetryVerdict): number {
  if (verdict.kind !== 'queued') throw new Error(`not tried again: ${verdict.kind}`);
  return verdict.waitMs;
}

describe('an attempt that failed', () => {
  it('is not followed by another when that would have to wait for longer than a call may wait to be started', async () => {
    const patient = await aSentCall({ scheduleToStartTimeoutMs: 60_000 });
    const call = await aSentCall({ scheduleToStartTimeoutMs: 60_000 });

    const waits = await retryCall(store.pool, failed(patient, 1, 1, 60_000));
    const refused = await retryCall(store.pool, failed(call, 1, 1, 60_001));

    expect(waitOf(waits)).toBe(60_000);
    expect(refused).toEqual({ kind: 'spent' });
  });

  it('is followed by the next after a backoff that doubles, with jitter, up to its bound', async () => {
    const call = await aSentCall({ maxAttempts: 6, backoffMs: 100, maxBackoffMs: 350 });
    const waits: number[] = [];

    for (let attempt = 1; attempt <= 5; attempt++) {
      waits.push(waitOf(await retryCall(store.pool, failed(call, attempt))));
      expect(await admitNow(call)).toBe(attempt + 1);
    }

    for (const [index, most] of [100, 200, 350, 350, 350].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[index]).toBeLessThanOrEqual(most);
    }
  });

  it('is not admitted before its time', async () => {
    const call = await aSentCall({ backoffMs: 60_000 });
    await retryCall(store.pool, failed(call, 1));

    const tools = [{ appName: 'app', tool: 'add' }];
    const { dispatchIds, waitMs } = await admitCalls(store.pool, { pool: 'default', tools, capacity: 1_000 });

    expect(dispatchIds).not.toContain(call.dispatchId);
    expect(waitMs).toBeLessThanOrEqual(60_000);
  });

  it('waits as long as the tool itself asks for, when that is longer', async () => {
    const call = await aSentCall({ backoffMs: 1 });

    expect(waitOf(await retryCall(store.pool, failed(call, 1, 1, 5_000)))).toBe(5_000);
  });

  it('told of twice changes nothing the second time, also when the next attempt is under way', async () => {
    const call = await aSentCall();
    await retryCall(store.pool, failed(call, 1));

    expect(await retryCall(store.pool, failed(call, 1))).toEqual({ kind: 'repeated' });
    expect(await admitNow(call)).toBe(2);
    expect(await retryCall(store.pool, failed(call, 1))).toEqual({ kind: 'repeated' });
  });

  it('row 20: told of five times at once is followed by one attempt', async () => {
    const call = await aSentCall();

    const verdicts = await Promise.all(
      Array.from({ length: 5 }, () => retryCall(store.pool, failed(call, 1))),
    );

    expect(verdicts.filter(({ kind }) => kind === 'queued')).toHaveLength(1);
    expect(verdicts.filter(({ kind }) => kind === 'repeated')).toHaveLength(4);
  });

  it('is the last when its attempts are spent, those a worker died in counted', async () => {
    const call = await aSentCall({ maxAttempts: 3 });

    expect(await retryCall(store.pool, failed(call, 1, 3))).toEqual({ kind: 'spent' });
    const other = await aSentCall({ maxAttempts: 3 });
    await retryCall(store.pool, failed(other, 1, 2));
    expect(await admitNow(other)).toBe(3);
    expect(await retryCall(store.pool, failed(other, 3))).toEqual({ kind: 'spent' });
  });

  it('is followed by a later one, whatever its worker says it was', async () => {
    const call = await aSentCall({ maxAttempts: 5 });
    await retryCall(store.pool, failed(call, 1));
    expect(await admitNow(call)).toBe(2);

    await retryCall(store.pool, failed(call, 2, 1));
    expect(await admitNow(call)).toBe(3);
    await retryCall(store.pool, failed(call, 3, 0));
    expect(await admitNow(call)).toBe(4);
  });

  it('told of as given up ends no later one', async () => {
    const call = await aSentCall({ maxAttempts: 5 });
    await retryCall(store.pool, failed(call, 1));
    expect(await admitNow(call)).toBe(2);
    const upTo = (upToAttempt: number) =>
      storeResult(store.pool, failed(call, 1), { status: 'dead', upToAttempt });

    expect(await upTo(1)).not.toBe('stored');
    expect(await admitNow(call)).toBe(2);
    expect(await upTo(2)).toBe('stored');
  });

  it('is the only one of a call that may run once', async () => {
    const call = await aSentCall({ sideEffect: 'once' });

    expect(await retryCall(store.pool, failed(call, 1))).toEqual({ kind: 'spent' });
  });

  it('is the last when nobody waits for the call any more', async () => {
    const [done, cancelled] = [await aSentCall(), await aSentCall()];
    await storeResult(store.pool, failed(done, 1));
    const { appName, userId, sessionId, invocationId } = cancelled.run;
    await cancelInvocation(store.pool, { appName, userId, sessionId, invocationId });

    expect(await retryCall(store.pool, failed(done, 1))).toEqual({ kind: 'over' });
    expect((await retryCall(store.pool, failed(cancelled, 1))).kind).not.toBe('queued');
  });

  it('is followed by the next when the call was handed back meanwhile and waits for its turn (rows 17, 20)', async () => {
    const call = await aSentCall();
    const { invocationId, ticket } = failed(call, 1);
    await returnCall(store.pool, {
      ...{ tool: 'add', ticket, invocationId },
      ...{ reason: 'unstarted', returned: 0, started: 0 },
    });

    const verdicts = [
      await retryCall(store.pool, failed(call, 1)),
      await retryCall(store.pool, failed(call, 1)),
    ];

    expect(verdicts.map(({ kind }) => kind)).toEqual(['queued', 'repeated']);
    expect(await admitNow(call)).toBe(2);
  });

  it('does not keep a late success of it from being the result', async () => {
    const call = await aSentCall();
    await retryCall(store.pool, failed(call, 1));
    const { retry: _, ...late } = failed(call, 1);

    expect(await storeResult(store.pool, { ...late, outcome: { kind: 'result', value: 1 } })).toBe('stored');
    expect(await admitNow(call)).toBeUndefined();
  });
});
