import { randomUUID } from 'node:crypto';
import { type CallRow, type Handover, type ToolPolicy } from '@skein/contracts';
import { admitCalls, type Admission, type CallPlace, listWaitingTools } from '@skein/session-store';
import { aCall, aKey, anEvent, aUnit, startRun, useStore } from './session-store-harness';

export const APP = 'app';

interface Waiting {
  readonly run: Handover;
  readonly ids: readonly string[];
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

  return { store, places, queue, admit, end };
}

export const aPool = (): string => `pool-${randomUUID()}`;
export const aTool = (): string => `tool-${randomUUID()}`;
export const aPolicy = (policy: Partial<ToolPolicy> = {}): ToolPolicy => ({
  ...{ timeoutMs: 1_000, maxAttempts: 3, sideEffect: 'idempotent' },
  ...policy,
});
