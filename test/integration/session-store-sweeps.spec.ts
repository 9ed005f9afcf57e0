import { randomUUID } from 'node:crypto';
import { beginTool, confirmSent, findUnpublished, readUnsentCalls } from '@skein/session-store';
import { type Pool, type QueryConfig } from 'pg';
import {
  aCall,
  aKey,
  anEvent,
  anEventWithDelta,
  aUnit,
  SECRET,
  startRun,
  useStore,
} from './session-store-harness';

const store = useStore();

const HOUR_MS = 3_600_000;

describe('calls that may be unsent', () => {
  async function aStoredCall(sideEffect: 'idempotent' | 'once' = 'idempotent'): Promise<string> {
    const run = await startRun(store.pool, aKey());
    const call = aCall({ policy: { timeoutMs: 1000, maxAttempts: 3, sideEffect } });
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
    return call.dispatchId;
  }

  async function unsent(dispatchId: string, { graceMs = 0, sentMoreThanMsAgo = HOUR_MS } = {}) {
    const calls = await readUnsentCalls(store.pool, { secret: SECRET, graceMs, sentMoreThanMsAgo });
    return calls.find(({ message }) => message.call.dispatchId === dispatchId);
  }

  async function makeOlder(dispatchId: string, by: string): Promise<void> {
    await store.pool.query(
      'UPDATE adk_tool_calls SET sent_at = sent_at - $2::interval WHERE dispatch_id = $1',
      [dispatchId, by],
    );
  }

  it('are left to their owner for a while, then named until a sending is confirmed', async () => {
    const dispatchId = await aStoredCall();

    expect(await unsent(dispatchId, { graceMs: 5_000 })).toBeUndefined();
    await makeOlder(dispatchId, '6 s');
    expect(await unsent(dispatchId, { graceMs: 5_000 })).toBeDefined();
    // Whoever read it died before its publish, or the publish failed.
    const call = await unsent(dispatchId, { graceMs: 5_000 });
    if (!call) throw new Error('the call is taken for sent');
    await confirmSent(store.pool, [call]);

    expect(await unsent(dispatchId)).toBeUndefined();
  });

  it('are noted as sent in one statement, which passes by those that somebody changes', async () => {
    const ids = [await aStoredCall(), await aStoredCall(), await aStoredCall()];
    const calls = await readUnsentCalls(store.pool, { secret: SECRET, graceMs: 0 });
    const sent = calls.filter(({ message }) => ids.includes(message.call.dispatchId));
    expect(sent).toHaveLength(3);

    const other = await store.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM adk_tool_calls WHERE dispatch_id = $1 FOR UPDATE', [ids[1]]);
      await confirmSent(store.pool, sent);
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }

    const left = await Promise.all(ids.map((id) => unsent(id)));
    expect(left.map((call) => call !== undefined)).toEqual([false, true, false]);
  });

  it.each(['returned', 'attempt'])(
    'are not noted by a confirm that is late: of another %s',
    async (column) => {
      const dispatchId = await aStoredCall();
      const call = await unsent(dispatchId);
      if (!call) throw new Error('the call is taken for sent');
      await store.pool.query(
        `UPDATE adk_tool_calls SET ${column} = ${column} + 1, confirmed_at = NULL WHERE dispatch_id = $1`,
        [dispatchId],
      );

      await confirmSent(store.pool, [call]);

      const again = await unsent(dispatchId);
      if (!again) throw new Error('the newer sending is taken for sent');
      await confirmSent(store.pool, [again]);
      expect(await unsent(dispatchId)).toBeUndefined();
    },
  );

  it('bring along what the user said last in their invocation, as their owner sends it', async () => {
    const run = await startRun(store.pool, aKey());
    const said = (text: string) => ({ role: 'user', parts: [{ text }] });
    const events = ['first', 'last'].map((text) => ({ ...anEvent(), author: 'user', content: said(text) }));
    const call = aCall();
    await store.batcher.append(aUnit(run, 1, { has: [...events, anEvent()], calls: [call] }));

    const found = await unsent(call.dispatchId);

    expect(found?.message.userContent).toEqual(said('last'));
  });

  it('bring along the temp: keys that the steps before them set, the last value of each', async () => {
    const run = await startRun(store.pool, aKey());
    const call = aCall({ stepKey: '0/root.0/tools.2' });
    const temp = (step: number, payload: Record<string, number>) => ({
      stepKey: `0/root.0/event.1.${step}`,
      kind: 'temp' as const,
      payload,
    });
    const records = [temp(1, { 'temp:a': 2 }), temp(0, { 'temp:a': 1, 'temp:b': 1 })];
    const has = [anEventWithDelta({ c: 1 }), anEvent()];
    await store.batcher.append(aUnit(run, 1, { has, records, calls: [call] }));

    const found = await unsent(call.dispatchId);

    expect(found?.message.state).toEqual({ c: 1, 'temp:a': 2, 'temp:b': 1 });
  });

  it('are named again when their stream may have been lost after the sending', async () => {
    const dispatchId = await aStoredCall();
    const call = await unsent(dispatchId);
    if (!call) throw new Error('the call is taken for sent');
    await confirmSent(store.pool, [call]);

    expect(await unsent(dispatchId, { sentMoreThanMsAgo: -1_000 })).toBeDefined();
  });

  it('row 21: are not named once they are begun, also when their stream has forgotten their message', async () => {
    const [begun, waiting] = [await aStoredCall('once'), await aStoredCall('once')];
    await makeOlder(begun, '10 minutes');
    await makeOlder(waiting, '10 minutes');
    const found = await unsent(begun);
    if (!found) throw new Error('the call is taken for sent');
    const { invocationId, ticket } = found.message;
    const request = { invocationId, ticket, tool: 'add', message: '1', handler: randomUUID() };

    expect(await beginTool(store.pool, request)).toEqual({ verdict: 'run' });

    expect(await unsent(begun)).toBeUndefined();
    expect(await unsent(waiting)).toBeDefined();
  });
});

describe('what was left unpublished', () => {
  async function found(everywhere: boolean): Promise<string[][]> {
    const pages: string[][] = [];
    for await (const page of findUnpublished(store.pool, { everywhere, pageSize: 2 }))
      pages.push(page.map(({ key }) => key.sessionId));
    return pages;
  }

  it('is found page by page to the last, also of invocations that wait for somebody', async () => {
    const keys = Array.from({ length: 5 }, () => aKey());
    for (const key of keys) {
      const run = await startRun(store.pool, key);
      await store.batcher.append(aUnit(run, 1, { has: [anEvent()], finish: { status: 'waiting' } }));
    }
    await store.pool.query(`UPDATE adk_sessions SET updated_at = now() - interval '5 s'`);

    const ids = keys.map(({ sessionId }) => sessionId);
    expect((await found(false)).flat()).toEqual(expect.arrayContaining(ids));
    const pages = await found(true);
    expect(pages.flat()).toEqual(expect.arrayContaining(ids));
    expect(pages.length).toBeGreaterThan(2);
  });
});

describe('a first look at all sessions', () => {
  it('reads a page of sessions with each statement, however few of them are left unpublished', async () => {
    const keys = Array.from({ length: 6 }, () => aKey({ appName: 'large' }));
    for (const key of keys) await startRun(store.pool, key);
    const run = await startRun(store.pool, aKey({ appName: 'large', sessionId: 'zz' }));
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()] }));
    await store.pool.query(`UPDATE adk_sessions SET updated_at = now() - interval '5 s'`);
    const read: number[] = [];
    const pool = {
      query: async (config: QueryConfig) => {
        const answer = await store.pool.query(config);
        const [plan] = await explained(config);
        read.push(plan?.rows ?? 0);
        return answer;
      },
    } as unknown as Pool;

    const found: string[] = [];
    for await (const page of findUnpublished(pool, { everywhere: true, pageSize: 2 }))
      found.push(...page.map(({ key }) => key.sessionId));

    expect(found).toContain('zz');
    expect(Math.max(...read)).toBeLessThanOrEqual(2);
  });

  /** How many rows of the table a statement read, kept or not. */
  async function explained({ text, values }: QueryConfig): Promise<{ rows: number }[]> {
    const { rows } = await store.pool.query<{ 'QUERY PLAN': PlanNode[] }>({
      text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values: values ?? [],
    });
    const read = (node: PlanNode): number =>
      (node['Relation Name'] === 'adk_sessions'
        ? (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
        : 0) +
      [...(node.Plans ?? []), ...(node.Plan ? [node.Plan] : [])].reduce((sum, n) => sum + read(n), 0);
    return rows.flatMap((row) => row['QUERY PLAN'].map((plan) => ({ rows: read(plan) })));
  }

  interface PlanNode {
    readonly 'Relation Name'?: string;
    readonly 'Actual Rows'?: number;
    readonly 'Rows Removed by Filter'?: number;
    readonly Plan?: PlanNode;
    readonly Plans?: readonly PlanNode[];
  }
});
