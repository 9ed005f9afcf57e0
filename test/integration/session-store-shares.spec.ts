import { randomUUID } from 'node:crypto';
import { admitCalls } from '@skein/session-store';
import { APP, aPool, aTool, useWaitingCalls } from './admission-harness';

const { store, queue, admit, end, pagesReadToAdmit } = useWaitingCalls();

describe('the share of a user', () => {
  it('is not cut by users who wait for tools that nobody serves', async () => {
    const pool = aPool();
    const [served, unserved] = [aTool(), aTool()];
    for (let n = 0; n < 12; n++) await queue(2, { pool, tool: unserved });
    const { ids } = await queue(10, { pool, tool: served });

    const named = (tool: string) => [{ appName: APP, tool }];
    const round = await admitCalls(store.pool, {
      ...{ pool, tools: named(served), unserved: named(unserved), capacity: 8 },
    });

    expect(round.share).toBe(10);
    expect([...round.dispatchIds].sort()).toEqual([...ids].sort());
  });

  it('is not worth a look at all who wait for such tools, nor any while the pool is full', async () => {
    const pool = aPool();
    const [served, unserved] = [aTool(), aTool()];
    for (let n = 0; n < 200; n++) await queue(1, { pool, tool: unserved });
    const tools = [
      { app_name: APP, tool: served },
      { app_name: APP, tool: unserved, is_unserved: true },
    ];

    const free = await pagesReadToAdmit(pool, tools, 2);
    for (let n = 0; n < 3; n++) await queue(1, { pool, tool: served });
    await admitCalls(store.pool, { pool, tools: [{ appName: APP, tool: served }], capacity: 2 });
    const full = await pagesReadToAdmit(pool, tools, 2);

    // Of two hundred users, each at some pages.
    expect(free).toBeLessThan(200);
    expect(full).toBeLessThan(60);
  }, 60_000);

  it('is what the others leave, where these want less', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const many = await queue(40, { pool, tool });
    const { ids } = await queue(1, { pool, tool });

    const { share, dispatchIds } = await admit(pool, 16);

    // Of what the workers run: the surplus would lie before the next call of the other one.
    expect(share).toBe(15);
    expect(dispatchIds).toEqual(expect.arrayContaining([...ids]));
    expect(dispatchIds.filter((id) => many.ids.includes(id))).toHaveLength(15);
  });

  it('leaves a place to a user whose call has just ended: the next one goes before those that wait', async () => {
    const [pool, tool, quiet] = [aPool(), aTool(), randomUUID()];
    await queue(60, { pool, tool });
    const first = await queue(1, { pool, tool }, quiet);
    await admit(pool, 16);
    await end(first.ids);
    expect((await admit(pool, 16)).dispatchIds).toEqual([]);

    const { ids } = await queue(1, { pool, tool }, quiet);

    // No other call has ended.
    expect((await admit(pool, 16)).dispatchIds).toEqual(ids);
  });

  it.each([
    ['who stay away', -5_000],
    ['whom a clock that went back saw in the future', 3_600_000],
  ])(
    'leaves no more places than the surplus to users who are not there, and none to those %s',
    async (_who, byMs) => {
      const [pool, tool] = [aPool(), aTool()];
      const few = await Promise.all(Array.from({ length: 10 }, () => queue(1, { pool, tool })));
      await queue(100, { pool, tool });
      expect((await admit(pool, 16)).share).toBe(6);
      await end(few.flatMap(({ ids }) => ids));

      expect((await admit(pool, 16)).share).toBe(12);

      await store.pool.query(
        `UPDATE adk_tool_pools p SET seen = (SELECT jsonb_object_agg(s.key, s.value::bigint + $2) FROM jsonb_each(p.seen) s)
        WHERE p.pool = $1`,
        [pool, byMs],
      );
      expect((await admit(pool, 16)).share).toBe(20);
    },
  );

  it('is cut by users who wait for both, and by those who have calls under way', async () => {
    const pool = aPool();
    const [served, unserved] = [aTool(), aTool()];
    const [one, other] = [randomUUID(), randomUUID()];
    await queue(3, { pool, tool: unserved }, one);
    await queue(8, { pool, tool: served }, one);
    await queue(8, { pool, tool: served }, other);

    const named = (tool: string) => [{ appName: APP, tool }];
    const options = { pool, tools: named(served), unserved: named(unserved), capacity: 8 };
    const round = await admitCalls(store.pool, options);

    expect(round.share).toBe(5);
    expect(round.dispatchIds).toHaveLength(10);
    expect((await admitCalls(store.pool, options)).share).toBeUndefined();
    await end(round.dispatchIds.slice(0, 1));
    expect((await admitCalls(store.pool, options)).share).toBe(5);
  });
});
