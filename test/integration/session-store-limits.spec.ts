import { randomUUID } from 'node:crypto';
import { admitCalls } from '@skein/session-store';
import { APP, aPolicy, aPool, aTool, useWaitingCalls } from './admission-harness';

const { store, queue, admit, end } = useWaitingCalls();

async function underWay(tool: string): Promise<number> {
  const { rows } = await store.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM adk_tool_calls WHERE tool = $1 AND status IN ('dispatched', 'running')`,
    [tool],
  );
  return rows[0]?.n ?? 0;
}

describe('limits for the whole fleet', () => {
  it('hold however many ask at once: never more under way than maxConcurrency', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const policy = aPolicy({ maxConcurrency: 3 });
    await Promise.all(Array.from({ length: 6 }, () => queue(5, { pool, tool, policy })));
    const most: number[] = [];

    let left = 30;
    while (left > 0) {
      const rounds = await Promise.all(Array.from({ length: 4 }, () => admit(pool)));
      const admitted = rounds.flatMap(({ dispatchIds }) => dispatchIds);
      most.push(await underWay(tool));
      expect(new Set(admitted).size).toBe(admitted.length);
      await end(admitted);
      left -= admitted.length;
      if (admitted.length === 0) throw new Error('nothing was admitted though there was room');
    }

    expect(Math.max(...most)).toBe(3);
  });

  it('count what goes on of a tool although its calls are over', async () => {
    const [pool, tool] = [aPool(), aTool()];
    await queue(5, { pool, tool, policy: aPolicy({ maxConcurrency: 3 }) });
    const round = (leftBehind: number) =>
      admitCalls(store.pool, { pool, tools: [{ appName: APP, tool, leftBehind }], capacity: 64 });

    expect((await round(4)).dispatchIds).toEqual([]);
    expect((await round(2)).dispatchIds).toHaveLength(1);
    expect((await round(2)).dispatchIds).toEqual([]);
    expect((await round(0)).dispatchIds).toHaveLength(2);
  });

  it('let calls of other tools pass those of a tool that is full', async () => {
    const pool = aPool();
    const [full, open] = [aTool(), aTool()];
    const user = randomUUID();
    await queue(100, { pool, tool: full, policy: aPolicy({ maxConcurrency: 1 }) }, user);
    const { ids } = await queue(1, { pool, tool: open }, user);

    const { dispatchIds } = await admit(pool);

    expect(dispatchIds).toHaveLength(2);
    expect(dispatchIds).toContain(ids[0]);
    expect((await admit(pool)).dispatchIds).toEqual([]);
  });

  it('say when a rate lets the next call through, and let no more through before', async () => {
    const [pool, tool] = [aPool(), aTool()];
    await queue(10, { pool, tool, policy: aPolicy({ rateLimit: { calls: 2, perMs: 60_000 } }) });

    const first = await admit(pool);
    const again = await admit(pool);

    expect(first.dispatchIds).toHaveLength(2);
    // Nobody may ask again before it is there.
    expect(first.waitMs).toBeGreaterThan(25_000);
    expect(first.waitMs).toBeLessThanOrEqual(30_000);
    expect(again.dispatchIds).toEqual([]);
    expect(again.waitMs).toBeGreaterThan(25_000);
    expect(again.waitMs).toBeLessThanOrEqual(30_000);
    await store.pool.query(
      `UPDATE adk_tool_lanes SET refilled_at = refilled_at - interval '30 s' WHERE tool = $1`,
      [tool],
    );
    expect((await admit(pool)).dispatchIds).toHaveLength(1);
  });

  it('of a rate owe nothing for the calls a tool makes without one', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const limited = { pool, tool, policy: aPolicy({ rateLimit: { calls: 2, perMs: 1_000_000 } }) };
    await queue(1, limited);
    await admit(pool);
    await queue(20, { pool, tool });
    expect((await admit(pool)).dispatchIds).toHaveLength(20);

    await queue(2, limited);

    expect((await admit(pool)).dispatchIds).toHaveLength(1);
  });

  it('that are reached keep no call of a lower priority from its turn, however many users wait for them', async () => {
    const pool = aPool();
    const [full, open] = [aTool(), aTool()];
    const limited = aPolicy({ maxConcurrency: 1, priority: 'high' });
    await queue(2, { pool, tool: full, policy: limited });
    await store.pool.query(
      `INSERT INTO adk_tool_calls
       SELECT (jsonb_populate_record(t, jsonb_build_object('dispatch_id', t.dispatch_id || n, 'user_id', t.user_id || n))).*
         FROM adk_tool_calls t, generate_series(1, 1250) n
        WHERE t.pool = $1`,
      [pool],
    );
    const { ids } = await queue(1, { pool, tool: open, policy: aPolicy({ priority: 'low' }) });

    const { dispatchIds } = await admit(pool);

    expect(dispatchIds).toContain(ids[0]);
    expect(dispatchIds).toHaveLength(2);
  }, 30_000);
});

describe('what a round says of those it left', () => {
  it('is that they are held, if they wait for room or for their user, and not if they wait for their own limit', async () => {
    const [pool, tool] = [aPool(), aTool()];
    await queue(20, { pool, tool });
    expect((await admit(pool, 8)).isHeld).toBe(true);
    expect((await admit(pool, 8)).isHeld).toBe(true);
    expect((await admit(pool, 64)).isHeld).toBe(false);

    const [other, limited] = [aPool(), aTool()];
    await queue(5, { pool: other, tool: limited, policy: aPolicy({ maxConcurrency: 1 }) });
    expect((await admit(other)).isHeld).toBe(false);
    expect((await admit(other)).isHeld).toBe(false);
  });
});
