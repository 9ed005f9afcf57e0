import { randomUUID } from 'node:crypto';
import { type CallRow, type Handover, type ToolPolicy } from '@skein/contracts';
import { admitCalls, type Admission, type CallPlace, listWaitingTools } from '@skein/session-store';
import { aCall, aKey, anEvent, aUnit, startRun, useStore } from './session-store-harness';

export const APP = 'app';

interface Waiting {
  readonly run: Handover;
  readonly ids: readonly string[];
}

interface Waited {
  readonly app_name: string;
  readonly tool: string;
  readonly is_unserved?: boolean;
}

/** A store for one spec file in which calls wait for their turn. */
export function useWaitingCalls() {
  /** What the service says of the calls of a test; by tool. */
  const places = new Map<string, CallPlace>();
  const store = useStore({ placeOf: (_, { tool }) => places.get(tool) ?? { waits: false } });

  /** Stores calls of one user that have to wait, in one turn, of a pool and a tool of their own unless told otherwise. */
  async function queue(
    count: number,
    call: Partial<CallRow> = {},
    userId: string = randomUUID(),
  ): Promise<Waiting> {
    const run = await startRun(store.pool, aKey({ userId }));
    const calls = Array.from({ length: count }, (_, index) => aCall({ index, ...call }));
    for (const { tool } of calls) places.set(tool, { waits: true });
    const { tickets } = await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls }));
    if (tickets.length > 0) throw new Error('calls that wait have no tickets');
    return { run, ids: calls.map(({ dispatchId }) => dispatchId) };
  }

  async function admit(pool: string, capacity = 64, limit?: number): Promise<Admission> {
    const tools = await listWaitingTools(store.pool, pool);
    return admitCalls(store.pool, { pool, tools, capacity, ...(limit !== undefined && { limit }) });
  }

  async function end(ids: readonly string[]): Promise<void> {
    await store.pool.query(`UPDATE adk_tool_calls SET status = 'done' WHERE dispatch_id = ANY ($1)`, [ids]);
  }

  /** On a connection whose plans are made: the first of each reads the catalogue. */
  async function pagesReadToAdmit(pool: string, tools: readonly Waited[], capacity = 8): Promise<number> {
    const client = await store.pool.connect();
    const explain = async (which: string): Promise<string> => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        'EXPLAIN (ANALYZE, BUFFERS) SELECT skein_admit($1, $2, $3, 200)',
        [which, JSON.stringify(tools), capacity],
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const other = aPool();
    for (const { tool } of tools) await queue(3, { pool: other, tool });
    await explain(other);
    const [, pages] = /Buffers: shared hit=(\d+)/.exec(await explain(pool)) ?? [];
    client.release();
    return Number(pages);
  }

  return { store, places, queue, admit, end, pagesReadToAdmit };
}

export const aPool = (): string => `pool-${randomUUID()}`;
export const aTool = (): string => `tool-${randomUUID()}`;
export const aPolicy = (policy: Partial<ToolPolicy> = {}): ToolPolicy => ({
  ...{ timeoutMs: 1_000, maxAttempts: 3, sideEffect: 'idempotent' },
  ...policy,
});
