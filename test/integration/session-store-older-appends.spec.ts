import { type Handover } from '@skein/contracts';
import { readEventPage } from '@skein/session-store';
import { aCall, aKey, anEvent, LEASE_MS, startRun, useStore } from './session-store-harness';

const store = useStore();

/** A chain without events, as the version before writes it. */
function chainOf(run: Handover, no: number, parts: object): string {
  const { appName, userId, sessionId, invocationId, epoch } = run;
  const chain = {
    ...{ chain: 1, app_name: appName, user_id: userId, session_id: sessionId },
    ...{
      invocation_id: invocationId,
      runner_id: 'runner-1',
      epoch,
      first_no: no,
      last_no: no,
      event_count: 0,
    },
    ...parts,
  };
  return JSON.stringify([chain]);
}

function callRow(waits: boolean): { readonly dispatch_id: string; readonly [column: string]: unknown } {
  const { dispatchId, stepKey, index, callId, agentName, tool, pool, args, policy } = aCall();
  return {
    ...{ dispatch_id: dispatchId, step_key: stepKey, call_index: index, call_id: callId },
    ...{ agent_name: agentName, tool, pool, args, policy, allowance_ms: 1_000, start_ms: 1_000, waits },
  };
}

describe('what the version before appends with', () => {
  it('row 42: stores calls, tells in a row of its own which of them wait, and ends the invocation', async () => {
    const run = await startRun(store.pool, aKey());
    const [sent, waiting] = [callRow(false), callRow(true)];
    const ids = [sent.dispatch_id, waiting.dispatch_id];

    const { rows: called } = await store.pool.query(
      `SELECT chain, base_seq, next_invocation, waiting FROM skein_append_calls($1, '[]', '{calls}', $2, $3)`,
      [chainOf(run, 1, { calls: [sent, waiting] }), LEASE_MS, ids],
    );
    const applied = [{ dispatch_id: sent.dispatch_id, n: 0 }];
    const { rows: ended } = await store.pool.query(
      `SELECT chain, base_seq, next_invocation FROM skein_append($1, '[]', '{applied,finish}', $2)`,
      [chainOf(run, 2, { applied, finish: { status: 'completed' } }), LEASE_MS],
    );

    expect(called).toEqual([
      { chain: 1, base_seq: 0, next_invocation: null, waiting: null },
      { chain: null, base_seq: null, next_invocation: null, waiting: [waiting.dispatch_id] },
    ]);
    expect(ended).toEqual([{ chain: 1, base_seq: 0, next_invocation: null }]);
    const { rows: calls } = await store.pool.query(
      'SELECT dispatch_id, status, applied_seq FROM adk_tool_calls WHERE invocation_id = $1 ORDER BY status DESC',
      [run.invocationId],
    );
    expect(calls).toEqual([
      { dispatch_id: sent.dispatch_id, status: 'done', applied_seq: 0 },
      { dispatch_id: waiting.dispatch_id, status: 'dead', applied_seq: 0 },
    ]);
  });

  it('row 42: stores events whose columns are named', async () => {
    const run = await startRun(store.pool, aKey());
    const { invocationId } = run;
    const bare = anEvent({ invocationId });
    const full = anEvent({
      ...{ invocationId, branch: 'root.sub', partial: false, turnComplete: true, interrupted: false },
      ...{ errorCode: 'E', errorMessage: 'message', longRunningToolIds: ['a', 'b'] },
      ...{ customMetadata: { a: null }, usageMetadata: { totalTokenCount: 3 }, newerField: [null] },
    });
    const columns = {
      id: full.id,
      invocation_id: invocationId,
      author: full.author,
      seconds: full.timestamp,
    };
    const rows = [
      {
        ...{ chain: 1, n: 1, step_key: '0/root.0/model.0', step_hash: 'h' },
        ...{ ...columns, content: full.content, actions: full.actions, branch: full.branch },
        ...{ partial: false, turn_complete: true, interrupted: false, error_code: 'E' },
        ...{ error_message: 'message', long_running_tool_ids: ['a', 'b'], custom_metadata: { a: null } },
        ...{ usage_metadata: full.usageMetadata, extra: { newerField: [null] } },
      },
      {
        ...{ chain: 1, n: 2, step_key: '0/root.0/model.1' },
        ...{ ...columns, id: bare.id, content: bare.content, actions: bare.actions, extra: null },
      },
    ];

    await store.pool.query(`SELECT * FROM skein_append($1, $2, '{}', $3)`, [
      chainOf(run, 1, { event_count: 2 }),
      JSON.stringify(rows),
      LEASE_MS,
    ]);

    const { events } = await readEventPage(store.pool, { ...run, afterSeq: 0 });
    expect(events.map(({ event }) => event)).toEqual([full, { ...bare, timestamp: full.timestamp }]);
    expect(events.map(({ stepKey, hash }) => [stepKey, hash])).toEqual([
      ['0/root.0/model.0', 'h'],
      ['0/root.0/model.1', undefined],
    ]);
  });

  it('answers nothing of a chain whose epoch has passed', async () => {
    const run = await startRun(store.pool, aKey());

    const { rows } = await store.pool.query(`SELECT * FROM skein_append($1, '[]', '{finish}', $2)`, [
      chainOf({ ...run, epoch: run.epoch + 1 }, 1, { finish: { status: 'completed' } }),
      LEASE_MS,
    ]);

    expect(rows).toEqual([]);
  });
});

describe('what today appends with', () => {
  it('refuses ids of long-running calls that are no list, rather than lose them', async () => {
    const run = await startRun(store.pool, aKey());
    const event = [1, 1, 'id', '0/root.0/model.0', null, null, 'root', 1.5, null, null];

    const append = store.pool.query(`SELECT * FROM skein_append_units($1, $2, '{}', $3)`, [
      chainOf(run, 1, { event_count: 1 }),
      JSON.stringify([[...event, { long_running_tool_ids: 'a' }]]),
      LEASE_MS,
    ]);

    await expect(append).rejects.toThrow('cannot extract elements from a scalar');
  });

  it('row 42: refuses events whose columns are named, and keeps nothing of their chain', async () => {
    const run = await startRun(store.pool, aKey());

    const append = store.pool.query(
      `SELECT * FROM skein_append_units($1, '[{"chain": 1, "n": 1}]', '{}', $2)`,
      [chainOf(run, 1, { event_count: 1 }), LEASE_MS],
    );

    await expect(append).rejects.toThrow('by place');
    const { rows } = await store.pool.query('SELECT last_seq FROM adk_sessions WHERE id = $1', [
      run.sessionId,
    ]);
    expect(rows).toEqual([{ last_seq: 0 }]);
  });
});
