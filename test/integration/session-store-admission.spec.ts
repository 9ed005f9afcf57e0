import { randomUUID } from 'node:crypto';
import {
  admitCalls,
  closeLeftCalls,
  isGenuine,
  listWaitingPools,
  listWaitingTools,
  measureToolCalls,
  noteBegunCalls,
  readAdmittedCalls,
  readNotStartedCalls,
  readUnsentCalls,
  storeResult,
} from '@skein/session-store';
import { APP, aPolicy, aPool, aTool, useWaitingCalls } from './admission-harness';
import { aCall, aKey, anEvent, aUnit, SECRET, startRun } from './session-store-harness';

const { store, places, queue, admit, end, pagesReadToAdmit } = useWaitingCalls();

describe('a call as it is stored', () => {
  it('may be sent at once by its runner, up to the share of its user; the others wait without a ticket', async () => {
    const [pool, tool] = [aPool(), aTool()];
    places.set(tool, { waits: false, share: 3 });
    const run = await startRun(store.pool, aKey({ userId: randomUUID() }));
    const calls = Array.from({ length: 5 }, (_, index) => aCall({ pool, tool, index }));

    const unit = aUnit(run, 1, { has: [anEvent()], calls });
    const { tickets } = await store.batcher.append(unit);

    const sent = calls.slice(0, 3).map(({ dispatchId }) => dispatchId);
    expect(tickets.map(({ dispatchId }) => dispatchId)).toEqual(sent);
    expect(await listWaitingTools(store.pool, pool)).toEqual([{ appName: APP, tool }]);
    expect(await listWaitingPools(store.pool)).toContain(pool);
    // Its answer was lost.
    expect((await store.batcher.append(unit)).tickets).toEqual(tickets);
  });

  it('is as old as it is stored, however late it was admitted', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const { ids } = await queue(1, { pool, tool });
    await store.pool.query(
      `UPDATE adk_tool_calls SET inserted_at = inserted_at - interval '1 hour' WHERE dispatch_id = $1`,
      [ids[0]],
    );

    await admit(pool);

    const measured = (await measureToolCalls(store.pool)).find((open) => open.tool === tool);
    expect(measured).toMatchObject({ dispatched: 1, oldest: [{ dispatchId: ids[0] }] });
    expect(measured?.oldest[0]?.seconds).toBeGreaterThan(3_599);
  });

  it('waits while its pool is full, whoever its user is', async () => {
    const [pool, tool] = [aPool(), aTool()];
    places.set(tool, { waits: false, share: 4, room: 5 });
    const tickets = async (count: number): Promise<number> => {
      const run = await startRun(store.pool, aKey({ userId: randomUUID() }));
      const calls = Array.from({ length: count }, (_, index) => aCall({ pool, tool, index }));
      return (await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls }))).tickets.length;
    };

    expect([await tickets(3), await tickets(3), await tickets(1)]).toEqual([3, 2, 0]);
  });

  it('of another user is sent at once beside ten thousand of one, whose turn is found as fast as with one', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const [noisy, quiet] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 10; n++) await queue(1_000, { pool, tool }, noisy);
    const first = await admit(pool, 8);
    expect(first.dispatchIds).toHaveLength(10);

    places.set(tool, { waits: false, share: first.share ?? 0 });
    const run = await startRun(store.pool, aKey({ userId: quiet }));
    const { tickets } = await store.batcher.append(
      aUnit(run, 1, { has: [anEvent()], calls: [aCall({ pool, tool })] }),
    );
    expect(tickets).toHaveLength(1);
    await queue(4, { pool, tool }, quiet);
    await end(first.dispatchIds);
    const pages = await pagesReadToAdmit(pool, [{ app_name: APP, tool }]);

    // Five each: a quarter above the capacity, shared by two; the quiet one has one of them under way.
    const admitted = await store.pool.query<{ user_id: string; n: number }>(
      `SELECT user_id, count(*)::int AS n FROM adk_tool_calls
        WHERE pool = $1 AND status = 'dispatched' GROUP BY user_id`,
      [pool],
    );
    const byUser = new Map(admitted.rows.map(({ user_id, n }) => [user_id, n]));
    expect([byUser.get(noisy), byUser.get(quiet)]).toEqual([5, 5]);
    // What waits is in over five hundred pages; nine calls were admitted.
    expect(pages).toBeLessThan(9 * 100);
  }, 60_000);
});

describe('turns', () => {
  it('go round the users, whoever has how many', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const many = await queue(50, { pool, tool });
    const few = await Promise.all([1, 2, 3].map(() => queue(1, { pool, tool })));

    const { dispatchIds } = await admit(pool, 64, 4);

    const others = few.flatMap(({ ids }) => ids);
    expect(dispatchIds.filter((id) => others.includes(id))).toHaveLength(3);
    expect(dispatchIds.filter((id) => many.ids.includes(id))).toHaveLength(1);
  });

  it('reach every user in the end, also where one round looks at fewer', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const users = await Promise.all(Array.from({ length: 7 }, () => queue(2, { pool, tool })));

    const first = await admit(pool, 64, 4);
    const second = await admit(pool, 64, 3);

    const served = new Set([...first.dispatchIds, ...second.dispatchIds]);
    expect(first.hasMore).toBe(true);
    for (const { ids } of users) expect(ids.filter((id) => served.has(id))).toHaveLength(1);
  });

  it('go to calls of a higher priority first, whoever came first', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const of = (priority: 'high' | 'normal' | 'low') => ({ pool, tool, policy: aPolicy({ priority }) });
    const low = await queue(2, of('low'));
    const normal = await queue(2, of('normal'));
    const high = await queue(2, of('high'));

    const { dispatchIds } = await admit(pool);

    const places = (ids: readonly string[]) => ids.map((id) => dispatchIds.indexOf(id)).sort();
    expect([places(high.ids), places(normal.ids), places(low.ids)]).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
  });

  it('wait while the pool is full; the next is of whoever has nothing under way', async () => {
    const [pool, tool] = [aPool(), aTool()];
    await queue(30, { pool, tool });
    const { dispatchIds: first } = await admit(pool, 8);
    expect(first).toHaveLength(10);
    const late = await queue(3, { pool, tool });
    expect((await admit(pool, 8)).dispatchIds).toEqual([]);

    await end(first.slice(0, 1));

    const { dispatchIds } = await admit(pool, 8);
    expect(dispatchIds).toHaveLength(1);
    expect(late.ids).toContain(dispatchIds[0]);
  });

  it('pass by tools that nobody serves', async () => {
    const pool = aPool();
    const [served, unserved] = [aTool(), aTool()];
    await queue(2, { pool, tool: unserved });
    const { ids } = await queue(2, { pool, tool: served });

    const tools = [{ appName: APP, tool: served }];
    const { dispatchIds } = await admitCalls(store.pool, { pool, tools, capacity: 64 });

    expect([...dispatchIds].sort()).toEqual([...ids].sort());
  });
});

describe('an admitted call', () => {
  it('is read with a ticket of its own and its time from that moment; unsent, the sweep finds it', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const { ids } = await queue(1, { pool, tool });
    await store.pool.query(
      `UPDATE adk_tool_calls SET sent_at = sent_at - interval '1 h', deadline = deadline - interval '1 h' WHERE pool = $1`,
      [pool],
    );
    const { dispatchIds } = await admit(pool);
    expect(dispatchIds).toEqual(ids);

    const [call] = await readAdmittedCalls(store.pool, SECRET, dispatchIds);

    const ticket = call?.message.ticket;
    if (!ticket) throw new Error('the admitted call is not there');
    expect(isGenuine(SECRET, tool, ticket)).toBe(true);
    expect(ticket.deadlineMs - (call?.readAtMs ?? 0)).toBeGreaterThan(3_000 + 4 * 60_000);
    // Whoever admitted it died here.
    const unsent = async (graceMs: number) =>
      (await readUnsentCalls(store.pool, { secret: SECRET, graceMs, limit: 10_000 })).filter(({ message }) =>
        ids.includes(message.call.dispatchId),
      );
    expect(await unsent(60_000)).toEqual([]);
    expect(await unsent(0)).toHaveLength(1);
  });

  it('is not admitted twice, nor after it ended', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const { run, ids } = await queue(2, { pool, tool });
    const [gone = ''] = ids;
    const ticket = { dispatchId: gone, attempt: 1, deadlineMs: 0, hmac: '' };
    await storeResult(store.pool, {
      ...{ appName: run.appName, userId: run.userId, sessionId: run.sessionId },
      ...{ invocationId: run.invocationId, tool, ticket },
      outcome: { kind: 'error', code: 'tool.cancelled', message: '' },
      actions: anEvent().actions,
      execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
    });

    expect((await admit(pool)).dispatchIds).toEqual([ids[1]]);
    expect((await admit(pool)).dispatchIds).toEqual([]);
  });
});

describe('calls of a run that is over', () => {
  const statusOf = async (pool: string): Promise<string[]> => {
    const { rows } = await store.pool.query<{ status: string }>(
      'SELECT status FROM adk_tool_calls WHERE pool = $1 ORDER BY status',
      [pool],
    );
    return rows.map(({ status }) => status);
  };

  it('do not wait any more, and those that were sent count as under way no longer than until their deadline', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const { run } = await queue(2, { pool, tool });
    await admit(pool, 64, 1);
    const finish = { status: 'failed', error: { code: 'x', message: 'x' } } as const;

    await store.batcher.append(aUnit(run, 2, { has: [anEvent()], finish }));

    expect(await listWaitingTools(store.pool, pool)).toEqual([]);
    await closeLeftCalls(store.pool);
    expect(await statusOf(pool)).toEqual(['dead', 'dispatched']);
    await store.pool.query(
      `UPDATE adk_tool_calls SET deadline = now() - interval '1 s' WHERE pool = $1 AND status = 'dispatched'`,
      [pool],
    );
    await closeLeftCalls(store.pool);
    expect(await statusOf(pool)).toEqual(['dead', 'dead']);
  });
});

describe('calls that do not begin in time', () => {
  it('are told apart by whether they were sent', async () => {
    const [pool, tool] = [aPool(), aTool()];
    const policy = aPolicy({ scheduleToStartTimeoutMs: 60_000 });
    const { ids } = await queue(2, { pool, tool, policy });
    const { dispatchIds } = await admit(pool, 64, 1);
    const found = async () =>
      (await readNotStartedCalls(store.pool, SECRET)).items.filter((one) => one.pool === pool);
    expect(await found()).toEqual([]);

    await store.pool.query(
      `UPDATE adk_tool_calls SET start_deadline = start_deadline - interval '61 s' WHERE pool = $1`,
      [pool],
    );

    const late = new Map((await found()).map(({ call, isWaiting }) => [call.ticket.dispatchId, isWaiting]));
    expect(late).toEqual(new Map(ids.map((id) => [id, !dispatchIds.includes(id)])));
  });

  it('are those that did not begin: what was heard of an attempt before says nothing of it', async () => {
    const [pool, tool] = [aPool(), aTool()];
    await queue(1, { pool, tool, policy: aPolicy({ scheduleToStartTimeoutMs: 60_000 }) });
    const { dispatchIds } = await admit(pool);
    await store.pool.query(
      `UPDATE adk_tool_calls SET start_deadline = start_deadline - interval '61 s', dispatched_at = now() - interval '9 s'
        WHERE pool = $1`,
      [pool],
    );
    const heard = (agoMs: number, inPool = pool) =>
      noteBegunCalls(
        store.pool,
        dispatchIds.map((dispatchId) => ({ dispatchId, pool: inPool, agoMs })),
      );
    const found = async () =>
      (await readNotStartedCalls(store.pool, SECRET)).items.filter((one) => one.pool === pool);

    await heard(60_000);
    expect(await found()).toHaveLength(1);
    // Row 16: nor what a worker of another pool says of it.
    await heard(5_000, aPool());
    expect(await found()).toHaveLength(1);
    await heard(5_000);
    expect(await found()).toEqual([]);
  });
});
