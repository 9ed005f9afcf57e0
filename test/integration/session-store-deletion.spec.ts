import { deleteSession } from '@skein/session-store';
import { aCall, aKey, anEvent, aUnit, eventually, startRun, useStore } from './session-store-harness';

const store = useStore();

describe('the deletion of a session', () => {
  it('takes all that hangs on it, and nothing of another', async () => {
    const run = await startRun(store.pool, aKey());
    const records = [{ stepKey: '0/x', kind: 'step' as const, payload: 1 }];
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [aCall()], records }));
    const other = await startRun(store.pool, aKey({ userId: run.userId }));
    await store.batcher.append(aUnit(other, 1, { has: [anEvent()] }));

    await deleteSession(store.pool, run);

    for (const table of ['adk_journal', 'adk_tool_calls', 'adk_inputs']) {
      const { rows } = await store.pool.query(`SELECT 1 FROM ${table} WHERE invocation_id = $1`, [
        run.invocationId,
      ]);
      expect(rows).toEqual([]);
    }
    const { rows } = await store.pool.query('SELECT session_id FROM adk_events WHERE session_id = ANY ($1)', [
      [run.sessionId, other.sessionId],
    ]);
    expect(rows).toEqual([{ session_id: other.sessionId }]);
  });

  it('takes what an append stored that it had to wait for', async () => {
    const run = await startRun(store.pool, aKey());
    const holder = await store.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM adk_sessions WHERE id = $1 FOR UPDATE', [run.sessionId]);
    const appended = store.batcher.append(aUnit(run, 1, { has: [anEvent()] }));
    await eventually('the append waits', () => waitingFor(1));
    const deleted = deleteSession(store.pool, run);
    await eventually('the deletion waits behind it', () => waitingFor(2));

    await holder.query('COMMIT');
    holder.release();

    expect(await appended).toMatchObject({ lastSeq: 1 });
    await deleted;
    const { rows } = await store.pool.query('SELECT FROM adk_events WHERE session_id = $1', [run.sessionId]);
    expect(rows).toEqual([]);
  });
});

/** True once so many statements wait for a lock. */
async function waitingFor(count: number): Promise<true | undefined> {
  const { rows } = await store.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length === count ? true : undefined;
}
