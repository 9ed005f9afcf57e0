import { randomUUID } from 'node:crypto';
import { type Handover, type SessionKey } from '@skein/contracts';
import {
  claimInvocation,
  expireLeases,
  readInvocation,
  readUnsentCalls,
  releaseInvocation,
  storeResult,
  type StoredUnit,
} from '@skein/session-store';
import { answer, asking, aWaiting, completed, startSegment, waiting } from './segments-harness';
import {
  aCall,
  aKey,
  anEvent,
  anEventWithDelta,
  aUnit,
  LEASE_MS,
  SECRET,
  startRun,
  submit,
  useStore,
} from './session-store-harness';

const replayed: StoredUnit[] = [];
const store = useStore({ onReplayed: (_unit, stored) => replayed.push(stored) });

describe('a credential the user gives', () => {
  it('is kept for the segment that uses it, and no longer (B65)', async () => {
    const key = aKey();
    const asked = await startRun(store.pool, key);
    const call = { functionCall: { id: 'c1', name: 'adk_request_credential' } };
    const request = anEvent({ content: { role: 'model', parts: [call] }, longRunningToolIds: ['c1'] });
    await store.batcher.append(aUnit(asked, 1, { has: [request], finish: waiting }));
    const response = { credentialKey: 'k', exchangedAuthCredential: { apiKey: 'secret' } };
    const newMessage = {
      role: 'user',
      parts: [{ functionResponse: { id: 'c1', name: 'adk_request_credential', response } }],
    };
    const kept = async () =>
      JSON.stringify(
        (
          await store.pool.query('SELECT message FROM adk_inputs WHERE invocation_id = $1', [
            asked.invocationId,
          ])
        ).rows,
      ).includes('secret');

    const { handover } = await submit(store.pool, key, { newMessage, runnerId: 'runner-1' });
    const keptWhileItRuns = await kept();
    if (!handover) throw new Error('nothing was claimed');
    await store.batcher.append(aUnit(handover, 1, { has: [anEvent()], finish: completed }));

    expect([keptWhileItRuns, await kept()]).toEqual([true, false]);
  });
});

describe('an answer that comes early', () => {
  it('waits for the end of the segment that still runs, which claims the next one', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await store.batcher.append(aUnit(run, 1, { has: [asking('c1')], calls: [aCall()] }));

    const early = await answer(store.pool, key, 'c1', { runnerId: 'runner-2' });
    const last = aUnit(run, 2, {
      records: [{ stepKey: '0/x', kind: 'step', payload: 1 }],
      has: [anEvent()],
      finish: waiting,
    });
    await store.batcher.append(last);

    expect(early).toMatchObject({ handover: undefined, needsPointer: false, submitted: { segment: 1 } });
    expect(await statusOf(key, run.invocationId)).toMatchObject({ status: 'running', segment: 1 });
    expect(await statusOf(key, run.invocationId, 0)).toMatchObject({ status: 'waiting', lastSeq: 2 });
    replayed.length = 0;
    await store.batcher.append(last);
    expect(replayed).toMatchObject([
      { lastSeq: 2, nextClaim: { invocationId: run.invocationId, runnerId: 'runner-1', epoch: 2 } },
    ]);
  });

  it('keeps the place it came at among the messages of its session', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'a', 'b');
    const run = await startRun(store.pool, key);
    await store.batcher.append(aUnit(run, 1, { has: [asking('c1')] }));
    const order: [string, number][] = [];
    for (const input of [
      await submit(store.pool, key),
      await answer(store.pool, key, 'c1'),
      await answer(store.pool, key, 'a'),
      await submit(store.pool, key),
      await answer(store.pool, key, 'b'),
    ]) {
      order.push([input.submitted.invocationId, input.submitted.segment]);
    }
    const served: [string, number][] = [];

    let next: Handover | undefined = run;
    for (let appendNo = 2; next; appendNo = 1) {
      await store.batcher.append(aUnit(next, appendNo, { has: [anEvent()], finish: completed }));
      next = await runningIn(key);
      if (next) served.push([next.invocationId, next.segment]);
    }

    expect(served).toEqual(order);
    expect(order[2]).toEqual([asked.invocationId, 1]);
    expect(order[4]).toEqual([asked.invocationId, 2]);
  });

  it('is not lost with the last attempt of its invocation', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await store.batcher.append(aUnit(run, 1, { has: [asking('c1')] }));
    await answer(store.pool, key, 'c1');

    const expired = await loseOwners(run.invocationId, 6);

    expect(expired.at(-1)).toMatchObject({ segment: 0, isDead: true, status: 'queued', lastSeq: 2 });
    expect(await statusOf(key, run.invocationId, 0)).toMatchObject({
      status: 'dead',
      error: { code: 'invocation.dead' },
      lastSeq: 2,
    });
    expect(await claim(run.invocationId)).toMatchObject({ segment: 1, attempt: 1, baseSeq: 2 });
  });

  it('is never lost, and never counted twice, when it meets the end of the segment', async () => {
    const met = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const key = aKey();
        const run = await startRun(store.pool, key);
        await store.batcher.append(aUnit(run, 1, { has: [asking('c1')] }));
        await Promise.all([
          answer(store.pool, key, 'c1', { runnerId: 'runner-1' }),
          store.batcher.append(aUnit(run, 2, { has: [anEvent()], finish: waiting })),
          answer(store.pool, key, 'c1'),
        ]);
        return { key, run };
      }),
    );

    for (const { key, run } of met) {
      // Ended again for as often as somebody answered, each time as the next segment.
      const segments: number[] = [];
      const next = async () => (await runningIn(key)) ?? (await claim(run.invocationId));
      for (let segment = await next(); segment; segment = await next()) {
        segments.push(segment.segment);
        await store.batcher.append(aUnit(segment, 1, { has: [anEvent()], finish: completed }));
      }
      expect(segments).toEqual([1, 2]);
    }
  });

  it('ends with the invocation when that is cancelled', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await store.batcher.append(aUnit(run, 1, { has: [asking('c1')] }));
    await answer(store.pool, key, 'c1');

    await store.batcher.append(aUnit(run, 2, { finish: { status: 'cancelled' } }));

    expect(await statusOf(key, run.invocationId)).toMatchObject({ status: 'cancelled' });
    expect(await statusOf(key, run.invocationId, 1)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a later segment', () => {
  it('finds nothing that the one before it left behind', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    const call = aCall();
    const { tickets } = await store.batcher.append(
      aUnit(run, 1, {
        has: [asking('c1')],
        calls: [call],
        records: [{ stepKey: '0/x', kind: 'step', payload: 1 }],
      }),
    );
    await store.batcher.append(aUnit(run, 2, { finish: waiting }));

    const second = await startSegment(store.pool, key, 'c1');
    const again = await claimAfterRelease(second);

    expect([second, again]).toMatchObject([
      { records: [], openCalls: [] },
      { records: [], openCalls: [] },
    ]);
    const [ticket] = tickets;
    if (!ticket) throw new Error('no ticket');
    const late = {
      ...key,
      invocationId: run.invocationId,
      tool: 'add',
      ticket,
      outcome: { kind: 'result' as const, value: 1 },
      actions: anEvent().actions,
      execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
    };
    expect(await storeResult(store.pool, late)).toBe('late');
  });

  it('is taken up again where it began when its owner is lost', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const second = await startSegment(store.pool, key, 'c1');
    await store.batcher.append(aUnit(second, 1, { has: [anEventWithDelta({ count: 2 })] }));

    await expire(asked.invocationId);
    await expireLeases(store.pool);
    const resumed = await claim(asked.invocationId, 'runner-2');

    expect(resumed).toMatchObject({ segment: 1, attempt: 1, baseSeq: 2, lastSeq: 3, sessionState: {} });
    expect(resumed?.events.map(({ stepKey }) => stepKey?.split('/')[0])).toEqual(['0', '0', '1']);
  });

  it('given up without a step keeps what the user answered', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    await answer(store.pool, key, 'c1');

    await loseOwners(asked.invocationId, 5);

    const { rows } = await store.pool.query<{ author: string; step_key: string }>(
      'SELECT author, step_key FROM adk_events WHERE session_id = $1 AND seq > 2 ORDER BY seq',
      [key.sessionId],
    );
    expect(rows).toEqual([
      { author: 'user', step_key: '1/user.0' },
      { author: 'root_agent', step_key: '1/dead' },
    ]);
  });

  it('runs its calls with what the human decided, also when session-svc sends them (B66)', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');
    const second = await startSegment(store.pool, key, 'c1');
    const confirmation = { hint: 'Sure?', confirmed: true, payload: { days: 3 } };
    const [confirmed, plain] = [aCall({ confirmation }), aCall()];
    await store.batcher.append(aUnit(second, 1, { has: [anEvent()], calls: [confirmed, plain] }));
    await store.pool.query(`UPDATE adk_tool_calls SET sent_at = now() - interval '1 min'`);

    const unsent = await readUnsentCalls(store.pool, { secret: SECRET, graceMs: 0 });

    const callOf = (dispatchId: string) =>
      unsent.find(({ message }) => message.call.dispatchId === dispatchId)?.message.call;
    expect(callOf(confirmed.dispatchId)).toEqual(confirmed);
    expect(callOf(plain.dispatchId)).toEqual(plain);
  });
});

async function claim(invocationId: string, runnerId = 'runner-1'): Promise<Handover | undefined> {
  const wish = { invocationId, runnerId, claimId: randomUUID() };
  return (await claimInvocation(store.pool, wish, LEASE_MS))?.handover;
}

async function statusOf(key: SessionKey, invocationId: string, segment?: number) {
  return readInvocation(store.pool, { ...key, invocationId, segment });
}

/** What runs in a session now, as its owner has it. */
async function runningIn(key: SessionKey): Promise<Handover | undefined> {
  const { rows } = await store.pool.query<{ id: string; epoch: number; segment: number }>(
    `SELECT id, epoch, segment FROM adk_invocations WHERE session_id = $1 AND status = 'running'`,
    [key.sessionId],
  );
  const [row] = rows;
  // Of the handover only what a unit names is used.
  return row && ({ ...key, invocationId: row.id, epoch: row.epoch, segment: row.segment } as Handover);
}

async function claimAfterRelease({ invocationId, epoch }: Handover): Promise<Handover | undefined> {
  await releaseInvocation(store.pool, invocationId, epoch);
  return claim(invocationId);
}

async function loseOwners(invocationId: string, times: number): ReturnType<typeof expireLeases> {
  const expired = [];
  for (let lost = 0; lost < times; lost++) {
    await claim(invocationId);
    await expire(invocationId);
    expired.push(...(await expireLeases(store.pool)));
  }
  return expired;
}

async function expire(invocationId: string): Promise<void> {
  await store.pool.query(`UPDATE adk_invocations SET lease_until = now() - interval '1 s' WHERE id = $1`, [
    invocationId,
  ]);
}
