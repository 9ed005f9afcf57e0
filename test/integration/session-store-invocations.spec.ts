import { inspectInvocation, listInvocations } from '@skein/session-store';
import { type Pool, type QueryConfig } from 'pg';
import { aKey, submit, useStore } from './session-store-harness';

const store = useStore();

describe('reading invocations', () => {
  it('tells of one with its segments and the session it belongs to', async () => {
    const { pool } = store;
    const key = aKey();
    const { submitted } = await submit(pool, key, { runnerId: 'runner-1' });

    const details = await inspectInvocation(pool, { ...key, invocationId: submitted.invocationId });

    expect(details).toEqual({
      invocationId: submitted.invocationId,
      sessionUid: submitted.sessionUid,
      lastSeq: 0,
      status: 'running',
      segment: 0,
      attempt: 1,
      segments: [{ segment: 0, status: 'running', afterSeq: 0 }],
      createTime: expect.any(Number) as unknown,
    });
    expect(Math.abs(details.createTime - Date.now() / 1000)).toBeLessThan(60);
  });

  it('finds no invocation by the key of another session', async () => {
    const key = aKey();
    const { submitted } = await submit(store.pool, key);
    await submit(store.pool, { ...key, sessionId: 'other' });

    const read = inspectInvocation(store.pool, {
      ...key,
      sessionId: 'other',
      invocationId: submitted.invocationId,
    });

    await expect(read).rejects.toMatchObject({ code: 'invocation.not-found' });
  });

  it('lists them newest first, in pages that neither repeat nor leave out one while others come', async () => {
    const { pool } = store;
    const key = aKey();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await submit(pool, key)).submitted.invocationId);

    const first = await listInvocations(pool, { ...key, limit: 2 });
    await submit(pool, key);
    const second = await listInvocations(pool, { ...key, limit: 2, before: first.next });
    const third = await listInvocations(pool, { ...key, limit: 2, before: second.next });

    const pages = [first, second, third];
    expect(pages.flatMap(({ invocations }) => invocations.map((one) => one.invocationId))).toEqual(ids);
    expect(pages.map(({ next }) => next)).toEqual([ids[1], ids[3], undefined]);
  });

  it('reads no more of a session with many than the page it lists', async () => {
    const key = aKey();
    await submit(store.pool, key);
    // Those of other sessions in between: by their ids alone all of them would be read.
    await store.pool.query(
      `INSERT INTO adk_sessions (app_name, user_id, id)
       SELECT app_name, user_id, 'beside-' || n FROM adk_sessions, generate_series(1, 400) n WHERE id = $1`,
      [key.sessionId],
    );
    await store.pool.query(
      `INSERT INTO adk_invocations (id, app_name, user_id, session_id, queue_no, status)
       SELECT 'e-many-' || n || '-' || id, app_name, user_id, id, 10 + n, 'completed'
         FROM adk_sessions, generate_series(1000, 1019) n
        WHERE id = $1 OR starts_with(id, 'beside-')`,
      [key.sessionId],
    );
    await store.pool.query(
      `INSERT INTO adk_inputs (invocation_id, ordinal, app_name, user_id, run_config, after_seq, queue_no)
       SELECT id, 0, app_name, user_id, '{}', 0, queue_no FROM adk_invocations WHERE id LIKE 'e-many-%'`,
    );
    await store.pool.query('ANALYZE adk_invocations, adk_inputs');
    let plan = '';
    const query = async ({ text, values }: QueryConfig) => {
      const config = { text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values: values ?? [] };
      const { rows } = await store.pool.query<Record<'QUERY PLAN', unknown>>(config);
      plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
      return store.pool.query({ text, values: values ?? [] });
    };
    const pool = { query } as unknown as Pool; // All of it that is used.

    const { invocations } = await listInvocations(pool, { ...key, limit: 2, before: 'e-many-2000' });

    expect(invocations.map(({ invocationId }) => invocationId)).toEqual(
      [1019, 1018].map((n) => `e-many-${n}-${key.sessionId}`),
    );
    const read = [...plan.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...read)).toBeLessThanOrEqual(3);
    expect(plan.match(/"Rows Removed by Filter":[1-9]\d*/g)).toBeNull();
  });

  it('lists none of a session without any, and says when there is no session', async () => {
    const key = aKey();
    await store.pool.query('INSERT INTO adk_sessions (app_name, user_id, id) VALUES ($1, $2, $3)', [
      key.appName,
      key.userId,
      key.sessionId,
    ]);

    expect(await listInvocations(store.pool, { ...key, limit: 2 })).toEqual({ invocations: [] });
    await expect(listInvocations(store.pool, { ...aKey(), limit: 2 })).rejects.toMatchObject({
      code: 'session.not-found',
    });
  });
});

describe('a repeat of a submit', () => {
  it('answers what the first one began', async () => {
    const key = aKey();
    const first = await submit(store.pool, key, { idempotencyKey: 'repeat-1' });

    const repeat = await submit(store.pool, key, { idempotencyKey: 'repeat-1', isRepeat: true });

    expect(repeat.submitted).toEqual(first.submitted);
  });

  it('stores nothing when there was no first one, also not in a session that was made again', async () => {
    const { pool } = store;
    const key = aKey();
    await submit(pool, key, { idempotencyKey: 'repeat-2' });
    await pool.query('DELETE FROM adk_sessions WHERE id = $1', [key.sessionId]);

    const gone = submit(pool, key, { idempotencyKey: 'repeat-2', isRepeat: true });
    await expect(gone).rejects.toMatchObject({ code: 'session.not-found' });
    await submit(pool, key);
    const made = submit(pool, key, { idempotencyKey: 'repeat-2', isRepeat: true });
    await expect(made).rejects.toMatchObject({ code: 'submit.unknown-key', kind: 'not_found' });

    expect((await listInvocations(pool, { ...key, limit: 10 })).invocations).toHaveLength(1);
  });
});
