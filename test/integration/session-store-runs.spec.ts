import { randomUUID } from 'node:crypto';
import {
  claimInvocation,
  expireLeases,
  readHandover,
  releaseInvocation,
  renewLeases,
  storeResult,
  unclaimInvocation,
} from '@skein/session-store';
import {
  aCall,
  aKey,
  anEvent,
  anEventWithDelta,
  aUnit,
  LEASE_MS,
  startRun,
  submit,
  useStore,
} from './session-store-harness';

const store = useStore();

describe('submit', () => {
  it('claims at once when the session is free and queues behind a run otherwise', async () => {
    const key = aKey();

    const first = await submit(store.pool, key, { runnerId: 'runner-1' });
    const second = await submit(store.pool, key, { runnerId: 'runner-1' });

    expect(first.handover).toMatchObject({ ...key, epoch: 1, attempt: 1, baseSeq: 0, input: { ordinal: 0 } });
    expect(second).toMatchObject({ handover: undefined, needsPointer: false });
  });

  it('answers a repeat under one key with the first invocation, also when both come at once', async () => {
    const key = aKey();
    const idempotencyKey = randomUUID();

    const answers = await Promise.all([1, 2, 3].map(() => submit(store.pool, key, { idempotencyKey })));

    expect(new Set(answers.map(({ submitted }) => submitted.invocationId)).size).toBe(1);
    expect(answers.filter(({ needsPointer }) => needsPointer)).toHaveLength(1);
    const { rows } = await store.pool.query('SELECT 1 FROM adk_invocations WHERE session_id = $1', [
      key.sessionId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('refuses the key with another body, also for another session of the user', async () => {
    const key = aKey();
    const idempotencyKey = randomUUID();
    await submit(store.pool, key, { idempotencyKey });

    const changed = submit(store.pool, key, {
      idempotencyKey,
      newMessage: { parts: [{ text: 'other' }] },
    });
    const elsewhere = submit(store.pool, aKey(), { idempotencyKey });

    await expect(changed).rejects.toMatchObject({ code: 'submit.idempotency-mismatch', kind: 'invalid' });
    await expect(elsewhere).rejects.toMatchObject({ code: 'submit.idempotency-mismatch' });
    await expect(submit(store.pool, aKey({ userId: 'bob' }), { idempotencyKey })).resolves.toBeDefined();
  });

  it('rejects a busy session when asked to, and an unknown one unless it may be made', async () => {
    const key = aKey();
    await startRun(store.pool, key);

    await expect(submit(store.pool, key, { onBusy: 'reject' })).rejects.toMatchObject({
      code: 'session.busy',
    });
    await expect(submit(store.pool, aKey(), { autoCreateSession: false })).rejects.toMatchObject({
      code: 'session.not-found',
    });
  });

  it('sends history to a runner that has none and nothing to the last owner', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await store.batcher.append(
      aUnit(run, 1, { has: [anEvent(), anEvent()], finish: { status: 'completed' } }),
    );

    const warm = await startRun(store.pool, key);
    await store.batcher.append(aUnit(warm, 1, { finish: { status: 'completed' } }));
    const cold = await startRun(store.pool, key, 'runner-2');

    expect(warm).toMatchObject({ fromSeq: 2, lastSeq: 2, events: [] });
    expect(cold).toMatchObject({ fromSeq: 0, lastSeq: 2, events: [{ seq: 1 }, { seq: 2 }] });
  });
});

describe('claims and leases', () => {
  it('claims only the oldest of a session, once, and answers the same claim id again', async () => {
    const key = aKey();
    const [one, two] = [await submit(store.pool, key), await submit(store.pool, key)];
    const claim = (invocationId: string, claimId: string) =>
      claimInvocation(store.pool, { invocationId, runnerId: 'runner-1', claimId }, LEASE_MS);

    expect(await claim(two.submitted.invocationId, 'a')).toBeUndefined();
    const claimed = await claim(one.submitted.invocationId, 'b');
    expect(claimed?.handover).toMatchObject({ invocationId: one.submitted.invocationId, epoch: 1 });
    const again = await claim(one.submitted.invocationId, 'b');
    expect(again?.handover).toEqual(claimed?.handover);
    expect(await claim(one.submitted.invocationId, 'c')).toBeUndefined();
    expect(await claim('e-unknown', 'd')).toBeUndefined();
  });

  it('gives one invocation to one of many that claim it at once', async () => {
    const { submitted } = await submit(store.pool, aKey());

    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        claimInvocation(
          store.pool,
          { invocationId: submitted.invocationId, runnerId: `runner-${index}`, claimId: `claim-${index}` },
          LEASE_MS,
        ),
      ),
    );

    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('takes a run back when its lease expires and gives its successor what it stored', async () => {
    const key = aKey({ userId: 'resumed' });
    await store.batcher.append(
      aUnit(await startRun(store.pool, key), 1, {
        has: [anEventWithDelta({ count: 1, 'user:name': 'Ann' })],
        finish: { status: 'completed' },
      }),
    );
    const run = await startRun(store.pool, key);
    const call = aCall();
    await store.batcher.append(
      aUnit(run, 1, {
        has: [anEventWithDelta({ count: 2, 'user:name': 'Bob' })],
        records: [{ stepKey: '0/x', kind: 'temp', payload: { 'temp:x': 1 } }],
        calls: [call],
      }),
    );
    await expire(run.invocationId);

    const expired = await expireLeases(store.pool);
    const resumed = await claimInvocation(
      store.pool,
      { invocationId: run.invocationId, runnerId: 'runner-2', claimId: 'c' },
      LEASE_MS,
    );

    expect(expired).toMatchObject([{ invocationId: run.invocationId, key, status: 'queued' }]);
    expect(resumed?.handover).toMatchObject({
      baseSeq: 1,
      lastSeq: 2,
      sessionState: { count: 1 },
      userState: { name: 'Ann' },
      records: [{ stepKey: '0/x', kind: 'temp', payload: { 'temp:x': 1 } }],
      openCalls: [{ dispatchId: call.dispatchId }],
    });
    expect(resumed?.handover.events.map(({ seq, stepKey }) => [seq, stepKey])).toEqual([
      [1, '0/root.0/event.1.0'],
      [2, '0/root.0/event.1.0'],
    ]);
    expect(resumed?.handover.epoch).toBeGreaterThan(run.epoch);
    await expect(store.batcher.append(aUnit(run, 2, { has: [anEvent()] }))).rejects.toMatchObject({
      code: 'append.fenced',
    });
  });

  it('renews only leases still held', async () => {
    const [mine, lost] = [await startRun(store.pool, aKey()), await startRun(store.pool, aKey())];
    await releaseInvocation(store.pool, lost.invocationId, lost.epoch);

    const leases = [mine, lost].map(({ invocationId, epoch }) => ({ invocationId, epoch }));
    const renewed = await renewLeases(store.pool, { runnerId: 'runner-1', leases }, LEASE_MS);

    expect(renewed).toEqual({ held: [mine.invocationId], cancelRequested: [] });
  });

  it('takes an unanswered hand-over back unless its runner has stored something', async () => {
    const [silent, late] = [await startRun(store.pool, aKey()), await startRun(store.pool, aKey())];
    await store.batcher.append(aUnit(late, 1, { has: [anEvent()] }));

    expect(await unclaimInvocation(store.pool, silent.invocationId, silent.epoch)).toBe(true);
    expect(await unclaimInvocation(store.pool, late.invocationId, late.epoch)).toBe(false);

    await expect(store.batcher.append(aUnit(silent, 1, { has: [anEvent()] }))).rejects.toMatchObject({
      code: 'append.fenced',
    });
    await expect(store.batcher.append(aUnit(late, 2, { has: [anEvent()] }))).resolves.toMatchObject({
      lastSeq: 2,
    });
  });
});

describe('an unanswered hand-over', () => {
  it('row 8: is left to a runner that renewed its lease meanwhile', async () => {
    const run = await startRun(store.pool, aKey());
    const { invocationId, epoch } = run;
    // As old as the patience of whoever handed over, so that a renewal shows.
    await store.pool.query(
      `UPDATE adk_invocations SET lease_until = lease_until - interval '1 s' WHERE id = $1`,
      [invocationId],
    );
    await renewLeases(store.pool, { runnerId: 'runner-1', leases: [{ invocationId, epoch }] }, LEASE_MS);

    expect(await unclaimInvocation(store.pool, invocationId, epoch, LEASE_MS - 1_000)).toBe(false);

    await store.pool.query(
      `UPDATE adk_invocations SET lease_until = lease_until - interval '1 s' WHERE id = $1`,
      [invocationId],
    );
    expect(await unclaimInvocation(store.pool, invocationId, epoch, LEASE_MS - 1_000)).toBe(true);
  });
});

describe('tool calls and the end of a run', () => {
  it('keeps the first result of a call, gives it to the next owner, and marks it applied once', async () => {
    const run = await startRun(store.pool, aKey());
    const call = aCall();
    const { tickets } = await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
    const [ticket] = tickets;
    if (!ticket) throw new Error('no ticket');
    const result = (value: number): Parameters<typeof storeResult>[1] => ({
      ...aKey({ sessionId: run.sessionId }),
      invocationId: run.invocationId,
      tool: 'add',
      ticket,
      outcome: { kind: 'result', value },
      actions: anEvent().actions,
      execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
    });

    expect(await storeResult(store.pool, result(1))).toBe('stored');
    expect(await storeResult(store.pool, result(2))).toBe('duplicate');
    expect(
      (await readHandover(store.pool, { ...run, runnerId: 'runner-1' }))?.handover.openCalls,
    ).toMatchObject([{ dispatchId: call.dispatchId, result: { outcome: { value: 1 } } }]);
    await store.batcher.append(
      aUnit(run, 2, { has: [anEvent(), anEvent()], appliedCalls: [call.dispatchId] }),
    );

    expect((await readHandover(store.pool, { ...run, runnerId: 'runner-1' }))?.handover.openCalls).toEqual(
      [],
    );
    const { rows } = await store.pool.query(
      'SELECT status, applied_seq FROM adk_tool_calls WHERE dispatch_id = $1',
      [call.dispatchId],
    );
    expect(rows).toEqual([{ status: 'done', applied_seq: 3 }]);
  });

  it('deletes the journal at the end of a run, also when it waits: what it goes on from is in its events', async () => {
    const records = [{ stepKey: '0/x', kind: 'step' as const, payload: 1 }];
    const [ended, waiting] = [await startRun(store.pool, aKey()), await startRun(store.pool, aKey())];

    await store.batcher.append(
      aUnit(ended, 1, { records, finish: { status: 'failed', error: { code: 'X', message: 'x' } } }),
    );
    await store.batcher.append(aUnit(waiting, 1, { records, finish: { status: 'waiting' } }));

    const { rows } = await store.pool.query(
      'SELECT invocation_id FROM adk_journal WHERE invocation_id = ANY ($1)',
      [[ended.invocationId, waiting.invocationId]],
    );
    expect(rows).toEqual([]);
  });
});

async function expire(invocationId: string): Promise<void> {
  await store.pool.query(`UPDATE adk_invocations SET lease_until = now() - interval '1 s' WHERE id = $1`, [
    invocationId,
  ]);
}
