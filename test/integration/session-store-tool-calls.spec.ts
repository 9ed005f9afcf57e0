import { randomUUID } from 'node:crypto';
import { beginTool, readOverdueCalls, storeResult } from '@skein/session-store';
import { type Handover, type Ticket, type ToolResultMessage } from '@skein/contracts';
import { aCall, aKey, anEvent, aUnit, SECRET, startRun, useStore } from './session-store-harness';

const store = useStore();

interface StoredCall {
  readonly run: Handover;
  readonly ticket: Ticket;
}

async function aStoredCall(): Promise<StoredCall> {
  const run = await startRun(store.pool, aKey());
  const call = aCall({ policy: { timeoutMs: 1000, maxAttempts: 3, sideEffect: 'once' } });
  const { tickets } = await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
  const [ticket] = tickets;
  if (!ticket) throw new Error('the call got no ticket');
  return { run, ticket };
}

function resultOf({ run, ticket }: StoredCall, value: unknown): ToolResultMessage {
  return {
    ...{ appName: run.appName, userId: run.userId, sessionId: run.sessionId },
    ...{ invocationId: run.invocationId, tool: 'add', ticket },
    outcome: { kind: 'result', value },
    actions: anEvent().actions,
    execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
  };
}

const begin = ({ run, ticket }: StoredCall, message: string, handler: string = randomUUID()) =>
  beginTool(store.pool, { invocationId: run.invocationId, ticket, tool: 'add', message, handler });

describe('a call that may run once', () => {
  it('row 9: is begun by one handler, which hears the same again; any other of the message that it is lost', async () => {
    const call = await aStoredCall();
    const handler = randomUUID();

    expect(await begin(call, '7', handler)).toEqual({ verdict: 'run' });
    expect(await begin(call, '7', handler)).toEqual({ verdict: 'run' });
    expect(await begin(call, '7')).toEqual({ verdict: 'lost' });
  });

  it('row 20: is begun once, however many messages of it ask at once', async () => {
    const call = await aStoredCall();

    const answers = await Promise.all(['1', '2', '3', '4', '5'].map((message) => begin(call, message)));

    expect(answers.map(({ verdict }) => verdict).sort()).toEqual(['run', 'taken', 'taken', 'taken', 'taken']);
  });

  it('is over once it has a result, its deadline has passed by the database, or nobody knows it', async () => {
    const [done, overdue] = [await aStoredCall(), await aStoredCall()];
    await storeResult(store.pool, resultOf(done, 1));
    await passDeadline(overdue);

    expect(await begin(done, '1')).toEqual({ verdict: 'over' });
    expect(await begin(overdue, '1')).toEqual({ verdict: 'over' });
    const ticket = { ...done.ticket, dispatchId: `d-${'f'.repeat(32)}` };
    expect(await begin({ ...done, ticket }, '1')).toEqual({ verdict: 'over' });
  });
});

describe('results', () => {
  it('are applied by reading their own calls, however many others there are', async () => {
    const run = await startRun(store.pool, aKey());
    const calls = Array.from({ length: 200 }, (_, index) => aCall({ index }));
    const [first, ...others] = calls.map(({ dispatchId }) => dispatchId);
    if (first === undefined) throw new Error('no call');
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls }));
    await store.batcher.append(aUnit(run, 2, { has: [anEvent()], appliedCalls: others }));
    const readBefore = await callRowsRead();

    await store.batcher.append(aUnit(run, 3, { has: [anEvent()], appliedCalls: [first] }));

    expect((await callRowsRead()) - readBefore).toBeLessThan(10);
  });

  it('row 20: that come five times and shuffled are stored and applied once', async () => {
    const calls = await Promise.all(Array.from({ length: 8 }, () => aStoredCall()));
    const messages = calls.flatMap((call) => Array.from({ length: 5 }, (_, n) => resultOf(call, n)));
    const shuffled = messages.map((one, index) => messages[(index * 17) % messages.length] ?? one);

    const dispositions = await Promise.all(shuffled.map((message) => storeResult(store.pool, message)));

    expect(dispositions.filter((disposition) => disposition === 'stored')).toHaveLength(calls.length);
    expect(dispositions.filter((disposition) => disposition === 'duplicate')).toHaveLength(4 * calls.length);
    const [first] = calls;
    if (!first) throw new Error('no call');
    const appliedCalls = [first.ticket.dispatchId];
    const unit = aUnit(first.run, 2, { has: [anEvent()], appliedCalls });
    await Promise.all(Array.from({ length: 5 }, () => store.batcher.append(unit)));
    const { rows } = await store.pool.query(
      'SELECT max(seq)::int AS head FROM adk_events WHERE session_id = $1',
      [first.run.sessionId],
    );
    expect(rows).toEqual([{ head: 2 }]);
  });

  it('row 21: that come again after the stream forgot them are told from the first by the database', async () => {
    const call = await aStoredCall();
    await storeResult(store.pool, resultOf(call, 'first'));
    await store.batcher.append(
      aUnit(call.run, 2, { has: [anEvent()], appliedCalls: [call.ticket.dispatchId] }),
    );

    expect(await storeResult(store.pool, resultOf(call, 'again'))).toBe('duplicate');
  });

  it('that come after their call was given up are late, and of unknown calls unknown (row 48)', async () => {
    const call = await aStoredCall();
    await passDeadline(call);
    const overdue = (await readOverdueCalls(store.pool, SECRET)).items.find(
      ({ ticket }) => ticket.dispatchId === call.ticket.dispatchId,
    );
    if (!overdue) throw new Error('the call is not overdue');
    await storeResult(store.pool, overdue, { status: 'dead' });

    expect(await storeResult(store.pool, resultOf(call, 'late'))).toBe('late');
    const ticket = { ...call.ticket, dispatchId: `d-${'e'.repeat(32)}` };
    expect(await storeResult(store.pool, resultOf({ ...call, ticket }, 1))).toBe('unknown');
  });
});

async function passDeadline({ ticket }: StoredCall): Promise<void> {
  await store.pool.query(
    `UPDATE adk_tool_calls SET deadline = now() - interval '1 s' WHERE dispatch_id = $1`,
    [ticket.dispatchId],
  );
}

/** How many rows of calls were ever read. A connection tells of its own only when asked, so this is all of a pool at rest. */
async function callRowsRead(): Promise<number> {
  const clients = await Promise.all(Array.from({ length: 10 }, () => store.pool.connect()));
  try {
    for (const client of clients) await client.query('SELECT pg_stat_force_next_flush()');
  } finally {
    for (const client of clients) client.release();
  }
  const { rows } = await store.pool.query<{ read: number }>(
    `SELECT idx_tup_fetch + seq_tup_read AS read FROM pg_stat_user_tables WHERE relname = 'adk_tool_calls'`,
  );
  return rows[0]?.read ?? 0;
}
