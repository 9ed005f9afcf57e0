import { randomUUID } from 'node:crypto';
import {
  closeLeftCalls,
  type DuePosition,
  listOpenTools,
  listWaitingPools,
  measureCallsOf,
  measureToolCalls,
  readNotStartedCalls,
  readOverdueCalls,
  readUnappliedResults,
  readUnsentCalls,
  type StorePool,
} from '@skein/session-store';
import { pagesOf } from './pages-of';
import { aCall, aKey, anEvent, aUnit, SECRET, startRun, useStore } from './session-store-harness';

const store = useStore({ placeOf: (_, { tool }) => ({ waits: tool === 'waits' }) });

const CALLS = 6_000;
/** What the open calls of this spec fill is many times that. */
const FEW_PAGES = 80;
const graceMs = 3_600_000;

async function storeOpenCalls(tool: string, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1_000) {
    const run = await startRun(store.pool, aKey({ userId: randomUUID() }));
    const calls = Array.from({ length: 1_000 }, (_, index) => aCall({ index, tool }));
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls }));
    ids.push(...calls.map(({ dispatchId }) => dispatchId));
  }
  return ids;
}

const duties: readonly (readonly [string, (pool: StorePool) => Promise<unknown>])[] = [
  ['calls past their deadline', (pool) => readOverdueCalls(pool, SECRET)],
  ['calls that did not begin in time', (pool) => readNotStartedCalls(pool, SECRET)],
  ['calls that may be unsent', (pool) => readUnsentCalls(pool, { secret: SECRET, graceMs })],
  ['calls of runs that are over', (pool) => closeLeftCalls(pool)],
  ['results nobody applied', (pool) => readUnappliedResults(pool)],
  ['pools in which calls wait', (pool) => listWaitingPools(pool)],
];

describe('a sweep', () => {
  let sent: readonly string[];

  beforeAll(async () => {
    sent = await storeOpenCalls('sent', CALLS / 2);
    await storeOpenCalls('waits', CALLS / 2);
    await store.pool.query('ANALYZE');
  }, 120_000);

  it.each(duties)(
    'that looks for %s reads none of the thousands that are open and not due',
    async (_, read) => {
      const pages = await pagesOf(store.pool, read);

      expect(pages).toBeLessThan(FEW_PAGES);
    },
  );

  it('that looks for tools nobody serves reads what is under way, and of those that wait one for each tool', async () => {
    await store.pool.query(
      `UPDATE adk_tool_calls SET status = 'queued', not_before = now() WHERE tool = 'sent'`,
    );
    await store.pool.query('VACUUM ANALYZE adk_tool_calls');

    const pages = await pagesOf(store.pool, (pool) => listOpenTools(pool));
    const tools = await listOpenTools(store.pool);

    await store.pool.query(`UPDATE adk_tool_calls SET status = 'dispatched' WHERE tool = 'sent'`);
    expect(tools.map(({ tool }) => tool).sort()).toEqual(['sent', 'waits']);
    expect(pages).toBeLessThan(FEW_PAGES);
  });

  it('finds every call that is due among them, however few fit a page', async () => {
    const [late, unbegun, unsent] = [sent.slice(0, 5), sent.slice(5, 10), sent.slice(10, 15)];
    await change(late, `deadline = now() - interval '1 s'`);
    await change(unbegun, `start_deadline = now() - interval '1 s'`);
    await change(unsent, `sent_at = now() - interval '2 h'`);

    const overdue = await all((after) => readOverdueCalls(store.pool, SECRET, { after, limit: 2 }));
    const notBegun = await all((after) => readNotStartedCalls(store.pool, SECRET, { after, limit: 2 }));
    const found = await readUnsentCalls(store.pool, { secret: SECRET, graceMs });

    expect(overdue.map(({ ticket }) => ticket.dispatchId).sort()).toEqual([...late].sort());
    expect(notBegun.map(({ call }) => call.ticket.dispatchId).sort()).toEqual([...unbegun].sort());
    expect(found.map(({ message }) => message.call.dispatchId).sort()).toEqual([...unsent].sort());
  });

  it('passes by calls of runs that are over, also where they fill whole pages', async () => {
    const left = await storeOpenCalls('sent', 1_000);
    await change(left, `deadline = now() - interval '1 h'`);
    await store.pool.query(
      `UPDATE adk_invocations SET status = 'failed'
        WHERE id IN (SELECT invocation_id FROM adk_tool_calls WHERE dispatch_id = ANY ($1))`,
      [left],
    );

    const overdue = await all((after) => readOverdueCalls(store.pool, SECRET, { after, limit: 100 }));

    expect(overdue.map(({ ticket }) => ticket.dispatchId).sort()).toEqual([...sent.slice(0, 5)].sort());
    expect(await closeLeftCalls(store.pool)).toBe(1_000);
  });
});

describe('the measure of what is to be done', () => {
  const OPEN = 20;
  const tools = ['sent', 'waits'].map((tool) => ({ appName: 'app', tool, pool: 'default' }));

  beforeAll(async () => {
    await store.pool.query(
      `UPDATE adk_tool_calls SET status = 'done', applied_seq = 1
        WHERE dispatch_id NOT IN (
          SELECT unnest((array_agg(dispatch_id))[1:${OPEN}]) FROM adk_tool_calls
           WHERE status IN ('queued', 'dispatched') GROUP BY tool)`,
    );
    await store.pool.query('VACUUM ANALYZE adk_tool_calls');
  });

  it.each([
    ['all tools', (pool: StorePool) => measureToolCalls(pool)],
    ['some tools', (pool: StorePool) => measureCallsOf(pool, tools)],
  ])('reads of %s the calls that are open, and none of the thousands that are over', async (_, measure) => {
    const measured = await measure(store.pool);

    expect(measured.map(({ tool, queued, dispatched }) => [tool, queued, dispatched]).sort()).toEqual([
      ['sent', 0, OPEN],
      ['waits', OPEN, 0],
    ]);
    // A page of the index, one of the table and a run's for each.
    expect(await pagesOf(store.pool, measure)).toBeLessThan(5 * 2 * OPEN);
  });
});

async function change(dispatchIds: readonly string[], set: string): Promise<void> {
  await store.pool.query(`UPDATE adk_tool_calls SET ${set} WHERE dispatch_id = ANY ($1)`, [dispatchIds]);
}

/** Page by page to the end. */
async function all<Item>(
  read: (
    after: DuePosition | undefined,
  ) => Promise<{ items: readonly Item[]; next: DuePosition | undefined }>,
): Promise<Item[]> {
  const found: Item[] = [];
  let after: DuePosition | undefined;
  do {
    const { items, next } = await read(after);
    found.push(...items);
    after = next;
  } while (after);
  return found;
}
