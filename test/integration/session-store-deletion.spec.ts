import { deleteSession } from '@skein/session-store';
import { aCall, aKey, anEvent, aUnit, eventually, startRun, submit, useStore } from './session-store-harness';

const store = useStore();

describe('the deletion of a session', () => {
  it('takes all that hangs on it, and nothing of another', async () => {
    const run = await startRun(store.pool, aKey());
    const records = [{ stepKey: '0/x', kind: 'step' as const, payload: 1 }];
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [aCall()], records }));
    const other = await startRun(store.pool, aKey({ userId: run.userId }));
    await store.batcher.append(aUnit(other, 1, { has: [anEvent()], calls: [aCall()], records }));

    await deleteSession(store.pool, run);

    expect(await rowsOf(run)).toEqual([]);
    expect(await rowsOf(other)).toEqual(TABLES);
  });

  it('takes what an append stored that it had to wait for', async () => {
    const run = await startRun(store.pool, aKey());
    const holder = await store.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM adk_sessions WHERE id = $1 FOR UPDATE', [run.sessionId]);
    const appended = store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [aCall()] }));
    await eventually('the append waits', () => waitingFor(1));
    const deleted = deleteSession(store.pool, run);
    await eventually('the deletion waits behind it', () => waitingFor(2));

    await holder.query('COMMIT');
    holder.release();

    expect(await appended).toMatchObject({ lastSeq: 1 });
    await deleted;
    expect(await rowsOf(run)).toEqual([]);
  });

  it('takes what a submit stored that it had to wait for', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    const holder = await store.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM adk_sessions WHERE id = $1 FOR UPDATE', [run.sessionId]);
    const submitted = submit(store.pool, key);
    await eventually('the submit waits', () => waitingFor(1));
    const deleted = deleteSession(store.pool, run);
    await eventually('the deletion waits behind it', () => waitingFor(2));

    await holder.query('COMMIT');
    holder.release();

    const { invocationId } = (await submitted).submitted;
    await deleted;
    expect(await rowsOf(run)).toEqual([]);
    expect(await rowsOf({ invocationId })).toEqual([]);
  });
});

const TABLES = ['adk_events', 'adk_inputs', 'adk_invocations', 'adk_journal', 'adk_tool_calls'];

/** The tables that hold something of a run. */
async function rowsOf({ invocationId }: { readonly invocationId: string }): Promise<string[]> {
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT 'adk_events' AS name FROM adk_events WHERE invocation_id = $1
      UNION SELECT 'adk_inputs' FROM adk_inputs WHERE invocation_id = $1
      UNION SELECT 'adk_invocations' FROM adk_invocations WHERE id = $1
      UNION SELECT 'adk_journal' FROM adk_journal WHERE invocation_id = $1
      UNION SELECT 'adk_tool_calls' FROM adk_tool_calls WHERE invocation_id = $1
      ORDER BY name`,
    [invocationId],
  );
  return rows.map(({ name }) => name);
}

/** True once so many statements wait for a lock. */
async function waitingFor(count: number): Promise<true | undefined> {
  const { rows } = await store.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length === count ? true : undefined;
}
