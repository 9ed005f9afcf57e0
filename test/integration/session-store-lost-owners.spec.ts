import { type Handover } from '@skein/contracts';
import {
  claimInvocation,
  endOverdueCancel,
  expireLeases,
  readEventPage,
  releaseInvocation,
} from '@skein/session-store';
import { type Pool, type QueryConfig } from 'pg';
import { cancel } from './cancel-harness';
import { aCall, aKey, anEvent, aUnit, LEASE_MS, startRun, submit, useStore } from './session-store-harness';

const store = useStore();

describe('an invocation whose owner is lost', () => {
  it('answers nothing when the claim is lost to another runner before it is read', async () => {
    const { submitted } = await submit(store.pool, aKey());
    const { invocationId } = submitted;
    const claimFor = (pool: Pool, runnerId: string) =>
      claimInvocation(pool, { invocationId, runnerId, claimId: runnerId }, LEASE_MS);
    let heir: Awaited<ReturnType<typeof claimFor>>;
    const paused = {
      query: async (config: QueryConfig) => {
        const answer = await store.pool.query(config);
        if (config.name !== 'claim-invocation') return answer;
        await expire(invocationId);
        await expireLeases(store.pool);
        heir = await claimFor(store.pool, 'runner-2');
        return answer;
      },
    } as unknown as Pool;

    expect(await claimFor(paused, 'runner-1')).toBeUndefined();
    expect(heir?.handover.epoch).toBe(3);
  });

  it('gives an invocation up after five lost owners without a stored step', async () => {
    const key = aKey();
    const { submitted } = await submit(store.pool, key);
    const { invocationId } = submitted;

    const statuses: string[] = [];
    for (let lost = 1; lost <= 5; lost++) {
      const claim = { invocationId, runnerId: 'runner-1', claimId: String(lost) };
      expect((await claimInvocation(store.pool, claim, LEASE_MS))?.handover.attempt).toBe(lost);
      await expire(invocationId);
      statuses.push(...(await expireLeases(store.pool)).map(({ status }) => status));
    }

    expect(statuses).toEqual(['queued', 'queued', 'queued', 'queued', 'dead']);
    // What the user said was accepted, so it is in the log although no runner came to store it.
    const { events } = await readEventPage(store.pool, { ...key, afterSeq: 0 });
    expect(events).toMatchObject([
      { seq: 1, event: { author: 'user', content: { role: 'user', parts: [{ text: expect.any(String) }] } } },
      { seq: 2, event: { errorCode: 'invocation.dead' } },
    ]);
  });

  it('ends a given up invocation as its runner would have: open calls answered, one terminal event', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    const callOf = (id: string, name: string) => ({ functionCall: { id, name, args: {} } });
    const asking = anEvent({
      author: 'helper',
      branch: 'root.helper',
      content: { role: 'model', parts: [callOf('c1', 'add'), callOf('c2', 'wait'), callOf('c3', 'sub')] },
      longRunningToolIds: ['c2'],
    });
    const answered = { functionResponse: { id: 'c1', name: 'add', response: { sum: 3 } } };
    const call = aCall({ callId: 'c3', tool: 'sub' });
    await store.batcher.append(
      aUnit(run, 1, {
        has: [
          anEvent({ author: 'root' }),
          asking,
          anEvent({ author: 'helper', content: { role: 'user', parts: [answered] } }),
        ],
        calls: [call],
        records: [{ stepKey: '0/x', kind: 'step', payload: 1 }],
      }),
    );
    await expire(run.invocationId);
    await expireLeases(store.pool);
    await giveUp(run.invocationId);

    const page = await readEventPage(store.pool, { ...key, afterSeq: 3 });
    expect(page.events).toMatchObject([
      {
        seq: 4,
        event: {
          invocationId: run.invocationId,
          author: 'helper',
          branch: 'root.helper',
          content: {
            role: 'user',
            parts: [{ functionResponse: { id: 'c3', name: 'sub', response: { error: expect.any(String) } } }],
          },
        },
      },
      {
        seq: 5,
        event: { author: 'root', errorCode: 'invocation.dead', errorMessage: expect.stringMatching(/\.$/) },
      },
    ]);
    expect(page.events[1]?.event.content).toBeUndefined();
    expect(page.lastSeq).toBe(5);
    const { rows } = await store.pool.query(
      `SELECT (SELECT count(*)::int FROM adk_journal WHERE invocation_id = $1) AS records,
              (SELECT status FROM adk_tool_calls WHERE dispatch_id = $2) AS call`,
      [run.invocationId, call.dispatchId],
    );
    expect(rows).toEqual([{ records: 0, call: 'dead' }]);
  });
});

describe('attempts', () => {
  it('begin anew after a step, also when the run was given back before the next owner was lost', async () => {
    const { submitted } = await submit(store.pool, aKey());
    const { invocationId } = submitted;
    const claim = (claimId: string) =>
      claimInvocation(store.pool, { invocationId, runnerId: 'runner-1', claimId }, LEASE_MS);
    for (let lost = 1; lost <= 4; lost++) {
      await claim(String(lost));
      await expire(invocationId);
      await expireLeases(store.pool);
    }
    const run = (await claim('5'))?.handover;
    if (!run) throw new Error('the run was not to be had');
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()] }));
    await releaseInvocation(store.pool, invocationId, run.epoch);

    expect((await claim('6'))?.handover.attempt).toBe(1);
    await expire(invocationId);
    expect(await expireLeases(store.pool)).toMatchObject([{ invocationId, status: 'queued' }]);
  });
});

describe('a sweep of what expired', () => {
  it('row 40: leaves one that is to be cancelled, also after its last attempt: it ends as cancelled', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    const { invocationId } = run;
    await cancel(store.pool, key, invocationId);
    await store.pool.query('UPDATE adk_invocations SET attempt = 5 WHERE id = $1', [invocationId]);
    await expire(invocationId);

    expect(await expireLeases(store.pool)).toEqual([]);
    expect(await endOverdueCancel(store.pool, { ...key, invocationId })).toMatchObject({
      cancelled: { invocationId, endSeq: expect.any(Number) },
    });
  });

  it('takes back the others when one of them cannot be ended, and lets it wait', async () => {
    const [bad, good] = [await startRun(store.pool, aKey()), await startRun(store.pool, aKey())];
    await store.pool.query('UPDATE adk_invocations SET attempt = 5 WHERE id = $1', [bad.invocationId]);
    await refuseEventsOf(bad.invocationId);
    for (const { invocationId } of [bad, good]) await expire(invocationId);

    const expired = await expireLeases(store.pool);

    expect(expired.map(({ invocationId }) => invocationId)).toEqual([good.invocationId]);
    expect(await expireLeases(store.pool)).toEqual([]);
    await store.pool.query('ALTER TABLE adk_events DROP CONSTRAINT refused');
    await expire(bad.invocationId);
    expect(await expireLeases(store.pool)).toMatchObject([{ ...idOf(bad), status: 'dead' }]);
  });

  it('ends an invocation of ten thousand calls in a moment', async () => {
    const run = await startRun(store.pool, aKey());
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()] }));
    await storeCalls(run, 1_000);
    await store.pool.query('UPDATE adk_invocations SET attempt = 5 WHERE id = $1', [run.invocationId]);
    await store.pool.query('UPDATE adk_sessions SET append_no = 0 WHERE id = $1', [run.sessionId]);
    await expire(run.invocationId);

    const startedAtMs = performance.now();
    expect(await expireLeases(store.pool)).toMatchObject([{ ...idOf(run), status: 'dead', lastSeq: 2_002 }]);
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  const idOf = ({ invocationId }: Handover) => ({ invocationId });

  async function refuseEventsOf(invocationId: string): Promise<void> {
    await store.pool.query(
      `ALTER TABLE adk_events ADD CONSTRAINT refused CHECK (invocation_id <> '${invocationId}')`,
    );
  }

  /** Ten calls and their answers for each turn; the last turn's calls stay open. */
  async function storeCalls(run: Handover, turns: number): Promise<void> {
    await store.pool.query(
      `INSERT INTO adk_events (app_name, user_id, session_id, id, seq, invocation_id, author, content, actions, "timestamp")
       SELECT $1, $2, $3, 'x' || n, n + 1, $4, 'root', jsonb_build_object('role', 'model', 'parts', (
                SELECT jsonb_agg(jsonb_build_object(
                         CASE n % 2 WHEN 1 THEN 'functionCall' ELSE 'functionResponse' END,
                         jsonb_build_object('id', 'c' || (n + 1) / 2 || '.' || k, 'name', 'add')))
                  FROM generate_series(1, 10) k)), '{}', now()
         FROM generate_series(1, 2 * $5::int - 1) n`,
      [run.appName, run.userId, run.sessionId, run.invocationId, turns],
    );
    await store.pool.query('UPDATE adk_sessions SET last_seq = 2 * $2::int WHERE id = $1', [
      run.sessionId,
      turns,
    ]);
  }
});

/** Loses owners until nobody is left to try. */
async function giveUp(invocationId: string): Promise<void> {
  for (let lost = 1; lost <= 5; lost++) {
    const claim = { invocationId, runnerId: 'runner-1', claimId: String(lost) };
    await claimInvocation(store.pool, claim, LEASE_MS);
    await expire(invocationId);
    await expireLeases(store.pool);
  }
}

async function expire(invocationId: string): Promise<void> {
  await store.pool.query(`UPDATE adk_invocations SET lease_until = now() - interval '1 s' WHERE id = $1`, [
    invocationId,
  ]);
}
