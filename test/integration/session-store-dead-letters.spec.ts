import { type CallRow, type Handover, type Ticket, type ToolResultMessage } from '@skein/contracts';
import {
  admitCalls,
  beginTool,
  confirmRedriven,
  deleteSession,
  discardDeadLetter,
  endLetterless,
  endOverdueRedrives,
  forgetDeadLetters,
  givenUp,
  inspectDeadLetter,
  isGenuine,
  isRedrive,
  listDeadLetters,
  listWaitingTools,
  readAdmittedRedrives,
  readUnsentRedrives,
  redriveDeadLetter,
  type UnsentRedrive,
  storeRedriven,
  storeResult,
} from '@skein/session-store';
import { randomUUID } from 'node:crypto';
import { aCall, aKey, anEvent, aUnit, eventually, SECRET, startRun, useStore } from './session-store-harness';

const store = useStore();

interface StoredCall {
  readonly run: Handover;
  readonly call: CallRow;
  readonly ticket: Ticket;
}

async function aStoredCall(overrides: Partial<CallRow> = {}): Promise<StoredCall> {
  const run = await startRun(store.pool, aKey());
  const call = aCall(overrides);
  const { tickets } = await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
  const [ticket] = tickets;
  if (!ticket) throw new Error('the call got no ticket');
  return { run, call, ticket };
}

function deadResult({ run, ticket }: StoredCall, code = 'tool.deadline'): ToolResultMessage {
  return givenUp({ ...run, tool: 'add', ticket }, { code, message: 'It came to nothing.' });
}

const lettersOf = async ({ ticket }: StoredCall) => {
  const text = 'SELECT * FROM adk_dead_letters WHERE dispatch_id = $1';
  return (await store.pool.query<Record<string, unknown>>(text, [ticket.dispatchId])).rows;
};

describe('a dead letter', () => {
  it('is written with the end of its call, once, however many end it at the same time', async () => {
    const call = await aStoredCall({ pool: 'slow' });

    const ends = await Promise.all(
      Array.from({ length: 5 }, () => storeResult(store.pool, deadResult(call), { status: 'dead' })),
    );

    expect(ends.filter((end) => end === 'stored')).toHaveLength(1);
    expect(await lettersOf(call)).toMatchObject([
      {
        ...{ app_name: 'app', user_id: 'user', session_id: call.run.sessionId },
        ...{ invocation_id: call.run.invocationId, tool: 'add', pool: 'slow', attempts: 1 },
        ...{ code: 'tool.deadline', message: 'It came to nothing.', status: 'open', result: null },
      },
    ]);
  });

  it('is not written for what a tool gave, nor for a call that had its result before', async () => {
    const [threw, done] = [await aStoredCall(), await aStoredCall()];
    await storeResult(store.pool, deadResult(threw, 'tool.threw'));
    await storeResult(store.pool, deadResult(done));

    expect(await storeResult(store.pool, deadResult(done), { status: 'dead' })).toBe('duplicate');
    expect([...(await lettersOf(threw)), ...(await lettersOf(done))]).toEqual([]);
  });

  it('holds the state the tool would have read, unless that is too large to be kept', async () => {
    const [small, large] = [await aStoredCall(), await aStoredCall()];
    const setState = 'UPDATE adk_sessions SET state = $2::jsonb WHERE id = $1';
    await store.pool.query(setState, [small.run.sessionId, { city: 'Paris' }]);
    await store.pool.query(setState, [large.run.sessionId, { city: 'x'.repeat(300_000) }]);

    for (const call of [small, large]) await storeResult(store.pool, deadResult(call), { status: 'dead' });

    expect(await lettersOf(small)).toMatchObject([{ context: { scopes: { session: { city: 'Paris' } } } }]);
    expect(await lettersOf(large)).toMatchObject([{ context: { scopes: null } }]);
  });

  it('goes with its session', async () => {
    const call = await aStoredCall();
    await storeResult(store.pool, deadResult(call), { status: 'dead' });

    await deleteSession(store.pool, call.run);

    expect(await lettersOf(call)).toEqual([]);
  });
});

/** A letter whose run has read the error, and is over. */
async function aLetter(overrides: Partial<CallRow> = {}, appName = 'app'): Promise<StoredCall> {
  const run = await startRun(store.pool, aKey({ appName }));
  const call = aCall(overrides);
  const { tickets } = await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
  const [ticket] = tickets;
  if (!ticket) throw new Error('the call got no ticket');
  const stored = { run, call, ticket };
  await storeResult(store.pool, deadResult(stored), { status: 'dead' });
  const appliedCalls = [call.dispatchId];
  await store.batcher.append(
    aUnit(run, 2, { has: [anEvent()], appliedCalls, finish: { status: 'completed', isRefusal: false } }),
  );
  return stored;
}

const keyOf = ({ run, call }: StoredCall) => ({ appName: run.appName, dispatchId: call.dispatchId });
/** Begun, and admitted: no limit is in its way. */
async function redrive(letter: StoredCall, isForced = false): Promise<UnsentRedrive> {
  const pool = await redriveDeadLetter(store.pool, { ...keyOf(letter), isForced });
  const tools = await listWaitingTools(store.pool, pool);
  await admitCalls(store.pool, { pool, tools, capacity: 10_000 });
  const [redriven] = await eventually('its turn', async () => {
    const found = await readAdmittedRedrives(store.pool, SECRET, [letter.call.dispatchId]);
    return found.length > 0 ? found : undefined;
  });
  if (!redriven) throw new Error('the redrive was not admitted');
  return redriven;
}
const inspect = (letter: StoredCall) => inspectDeadLetter(store.pool, keyOf(letter));

describe('the dead letters of an app', () => {
  it('are listed newest first, a page at a time, by status, and none of another app', async () => {
    const appName = `app-${randomUUID().slice(0, 8)}`;
    const letters: StoredCall[] = [];
    for (let n = 0; n < 5; n++) letters.push(await aLetter({}, appName));
    await aLetter();
    const [, second] = letters;
    if (!second) throw new Error('no letter');
    await discardDeadLetter(store.pool, keyOf(second));
    const newestFirst = letters.map(({ call }) => call.dispatchId).reverse();

    const first = await listDeadLetters(store.pool, { appName, limit: 3 });
    const rest = await listDeadLetters(store.pool, { appName, limit: 3, before: first.next });
    const open = await listDeadLetters(store.pool, { appName, limit: 10, status: 'open' });

    const idsOf = (page: typeof first) => page.deadLetters.map(({ dispatchId }) => dispatchId);
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(newestFirst);
    expect(rest.next).toBeUndefined();
    expect(idsOf(open)).toEqual(newestFirst.filter((id) => id !== second.call.dispatchId));
  });

  it('are of no other app, whoever asks by id', async () => {
    const letter = await aLetter();
    const foreign = { appName: 'other', dispatchId: letter.call.dispatchId };

    const asked = [
      () => inspectDeadLetter(store.pool, foreign),
      () => discardDeadLetter(store.pool, foreign),
      () => redriveDeadLetter(store.pool, { ...foreign, isForced: true }),
    ];

    for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: 'dead-letter.not-found' });
    expect(await inspect(letter)).toMatchObject({ status: 'open', args: { a: 1 }, agentName: 'root' });
  });

  it('are kept for as long as said, but not forgotten while they are under way', async () => {
    const [old, young, moving] = [await aLetter(), await aLetter(), await aLetter()];
    await redrive(moving);
    const age = `UPDATE adk_dead_letters SET died_at = died_at - interval '2 h' WHERE dispatch_id = ANY ($1)`;
    await store.pool.query(age, [[old.call.dispatchId, moving.call.dispatchId]]);

    await forgetDeadLetters(store.pool, 3_600_000);

    expect(await lettersOf(old)).toEqual([]);
    expect(await lettersOf(young)).toHaveLength(1);
    expect(await lettersOf(moving)).toHaveLength(1);
  });
});

describe('a redrive', () => {
  it('is the next attempt under a ticket of its own, begun once however many ask at once', async () => {
    const letter = await aLetter({ args: { a: 7 } });

    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => redrive(letter)));

    const begun = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.message] : []));
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(5);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'dead-letter.under-way' });
    expect(begun).toMatchObject([{ call: { dispatchId: letter.call.dispatchId, args: { a: 7 } } }]);
    const [message] = begun;
    if (!message) throw new Error('no message');
    expect(message.ticket.attempt).toBe(2);
    expect(message.call.policy.maxAttempts).toBe(2);
    expect(message.ticket.deadlineMs).toBeGreaterThan(Date.now() + 60_000);
    expect(isGenuine(SECRET, 'add', message.ticket) && isRedrive(SECRET, 'add', message.ticket)).toBe(true);
    expect(isRedrive(SECRET, 'add', letter.ticket)).toBe(false);
  });

  it('keeps its result with the letter, the first one, and leaves the call as it is', async () => {
    const letter = await aLetter();
    const { message } = await redrive(letter);
    const result = { ...deadResult({ ...letter, ticket: message.ticket }) };
    const good = { ...result, outcome: { kind: 'result', value: 42 } as const };

    expect(await storeRedriven(store.pool, good)).toBe(true);
    expect(await storeRedriven(store.pool, result)).toBe(false);

    expect(await inspect(letter)).toMatchObject({ status: 'redriven', result: { outcome: { value: 42 } } });
    await expect(redrive(letter)).rejects.toMatchObject({ kind: 'conflict', code: 'dead-letter.redriven' });
    // Set aside it would read as if nobody had dealt with it.
    await expect(discardDeadLetter(store.pool, keyOf(letter))).rejects.toMatchObject({
      kind: 'conflict',
      code: 'dead-letter.redriven',
    });
    expect(await lettersOf(letter)).toMatchObject([{ status: 'redriven' }]);
    const text = 'SELECT status, result FROM adk_tool_calls WHERE dispatch_id = $1';
    const { rows } = await store.pool.query(text, [letter.call.dispatchId]);
    expect(rows).toMatchObject([{ result: { outcome: { kind: 'error', code: 'tool.deadline' } } }]);
  });

  it('that fails, or gives nothing in time, opens the letter again, for one more', async () => {
    const [failed, silent] = [await aLetter(), await aLetter()];
    const { message } = await redrive(failed);
    await redrive(silent);
    await store.pool.query(
      `UPDATE adk_dead_letters SET deadline = now() - interval '1 s' WHERE dispatch_id = $1`,
      [silent.call.dispatchId],
    );

    await storeRedriven(store.pool, deadResult({ ...failed, ticket: message.ticket }, 'tool.threw'));
    await endOverdueRedrives(store.pool);

    expect(await inspect(failed)).toMatchObject({ status: 'open', code: 'tool.threw', attempts: 2 });
    expect(await inspect(silent)).toMatchObject({ status: 'open', code: 'tool.deadline' });
    expect((await redrive(failed)).message.ticket.attempt).toBe(3);
    // What the redrive before says now is not of this one.
    expect(await storeRedriven(store.pool, deadResult({ ...failed, ticket: message.ticket }))).toBe(false);
  });

  it('is refused while the run still waits for what the call came to', async () => {
    const call = await aStoredCall();
    await storeResult(store.pool, deadResult(call), { status: 'dead' });

    await expect(redrive(call)).rejects.toMatchObject({ kind: 'conflict', code: 'dead-letter.unanswered' });
  });

  it('of a call that may run once has to be forced, and is begun once', async () => {
    const policy = { timeoutMs: 1000, maxAttempts: 3, sideEffect: 'once' } as const;
    const letter = await aLetter({ policy });

    await expect(redrive(letter)).rejects.toMatchObject({ code: 'dead-letter.may-have-run' });
    const { ticket } = (await redrive(letter, true)).message;

    const { invocationId } = letter.run;
    const begin = (message: string) =>
      beginTool(store.pool, { invocationId, tool: 'add', ticket, message, handler: randomUUID() });
    const verdicts = await Promise.all([begin('1'), begin('2'), begin('3')]);
    expect(verdicts.map(({ verdict }) => verdict).sort()).toEqual(['run', 'taken', 'taken']);
  });

  it('is named as unsent until its message is known to be in the stream', async () => {
    const letter = await aLetter();
    const begun = await redrive(letter);
    const unsent = async () =>
      (await readUnsentRedrives(store.pool, SECRET, -1_000)).filter(
        ({ message }) => message.call.dispatchId === letter.call.dispatchId,
      );

    expect(await unsent()).toEqual([begun]);
    // Of a sending that was given back since.
    await confirmRedriven(store.pool, { message: { ...begun.message, returned: 1 } });
    expect(await unsent()).toEqual([begun]);
    await confirmRedriven(store.pool, begun);

    expect(await unsent()).toEqual([]);
  });
});

describe('an admitted redrive without its letter', () => {
  it('is ended, so that it takes no room; one with its letter, and a call that a run waits for, are not', async () => {
    const [lost, moving, call] = [await aLetter(), await aLetter(), await aStoredCall()];
    await redrive(lost);
    await redrive(moving);
    // As a version does that knows nothing of the call's own row.
    await store.pool.query(`UPDATE adk_dead_letters SET status = 'open' WHERE dispatch_id = $1`, [
      lost.call.dispatchId,
    ]);
    const ids = [lost, moving, call].map((one) => one.call.dispatchId);

    expect(await endLetterless(store.pool, ids)).toBe(1);

    const { rows } = await store.pool.query<{ status: string }>(
      `SELECT status FROM adk_tool_calls WHERE dispatch_id = ANY ($1) ORDER BY array_position($1, dispatch_id)`,
      [ids],
    );
    expect(rows.map(({ status }) => status)).toEqual(['done', 'dispatched', 'dispatched']);
  });
});

describe('a discarded letter', () => {
  it('stays so, is not sent again, and is not one that is under way', async () => {
    const [letter, moving] = [await aLetter(), await aLetter()];
    await redrive(moving);

    await discardDeadLetter(store.pool, keyOf(letter));
    expect(await discardDeadLetter(store.pool, keyOf(letter))).toMatchObject({ status: 'discarded' });

    await expect(redrive(letter)).rejects.toMatchObject({ code: 'dead-letter.discarded' });
    await expect(discardDeadLetter(store.pool, keyOf(moving))).rejects.toMatchObject({
      code: 'dead-letter.under-way',
    });
  });
});

describe('a call that the plane ended, and its tool answered all the same', () => {
  it('leaves no open letter once the answer is its response: a redrive would take effect a second time', async () => {
    const answered = await aStoredCall();
    await storeResult(store.pool, deadResult(answered), { status: 'dead' });
    const { dispatchId } = answered.call;

    await store.batcher.append(
      aUnit(answered.run, 2, {
        has: [anEvent()],
        appliedCalls: [dispatchId],
        answered: [{ dispatchId, attempt: '1.1' }],
      }),
    );

    expect(await lettersOf(answered)).toMatchObject([{ status: 'discarded', code: 'tool.deadline' }]);
    const redriven = redriveDeadLetter(store.pool, { ...keyOf(answered), isForced: true });
    await expect(redriven).rejects.toMatchObject({ code: 'dead-letter.discarded' });
  });

  it('keeps its letter when the error is its response', async () => {
    expect(await lettersOf(await aLetter())).toMatchObject([{ status: 'open' }]);
  });
});
