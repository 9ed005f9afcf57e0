import { randomUUID } from 'node:crypto';
import { type AppendUnit, type Event, type Handover, type SessionKey } from '@skein/contracts';
import {
  AppendBatcher,
  cancelInvocation,
  claimInvocation,
  endCancelled,
  findOverdueCancels,
  readEvents,
  readInvocation,
  releaseInvocation,
  renewLeases,
  storeResult,
} from '@skein/session-store';
import { answer, asking, aWaiting, completed, responses, waiting } from './segments-harness';
import {
  aCall,
  aKey,
  anEvent,
  aUnit,
  LEASE_MS,
  SECRET,
  startRun,
  startTestDatabase,
  submit,
  type TestDatabase,
} from './session-store-harness';

let database: TestDatabase;
let batcher: AppendBatcher;

beforeAll(async () => {
  database = await startTestDatabase();
  batcher = new AppendBatcher(database.pool, { secret: SECRET, leaseMs: LEASE_MS });
});
afterAll(() => database.stop());

const told = { errorCode: 'invocation.cancelled', errorMessage: 'The invocation was cancelled.' };

function cancel(key: SessionKey, invocationId: string) {
  return cancelInvocation(database.pool, { ...keyOf(key), invocationId });
}

function keyOf({ appName, userId, sessionId }: SessionKey): SessionKey {
  return { appName, userId, sessionId };
}

async function eventsOf(key: SessionKey): Promise<Event[]> {
  const stored = await readEvents(database.pool, { ...keyOf(key), afterSeq: 0 });
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  return stored.map(({ event }) => event);
}

async function stateOf(key: SessionKey, invocationId: string) {
  return readInvocation(database.pool, { ...keyOf(key), invocationId });
}

/** The same unit, as its runner would send it for a cancelled run. */
function ending(run: Handover, appendNo: number): AppendUnit {
  return aUnit(run, appendNo, { has: [anEvent(told)], finish: { status: 'cancelled' } });
}

describe('row 40: cancelling what is queued', () => {
  it('ends it at once, stores no message of it, and leaves what runs alone', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    const { submitted } = await submit(database.pool, key);

    const cancelling = await cancel(key, submitted.invocationId);

    expect(cancelling).toMatchObject({ cancelled: { endSeq: 1, holder: undefined }, next: undefined });
    expect(await eventsOf(key)).toMatchObject([
      { ...told, invocationId: submitted.invocationId, author: 'app' },
    ]);
    expect(await stateOf(key, submitted.invocationId)).toMatchObject({ status: 'cancelled', lastSeq: 1 });
    expect(await batcher.append(aUnit(run, 1, { has: [anEvent()], finish: completed }))).toMatchObject({
      lastSeq: 2,
      cancelRequested: false,
    });
  });

  it('names what the session goes on with, when nothing runs', async () => {
    const key = aKey();
    const [one, two] = [await submit(database.pool, key), await submit(database.pool, key)];

    const { next } = await cancel(key, one.submitted.invocationId);

    expect(next).toEqual({ invocationId: two.submitted.invocationId, epoch: 0 });
    const claim = { ...next, invocationId: two.submitted.invocationId, runnerId: 'r', claimId: 'c' };
    expect(await claimInvocation(database.pool, claim, LEASE_MS)).toBeDefined();
  });

  it('is done once, however often it is asked for', async () => {
    const key = aKey();
    const { submitted } = await submit(database.pool, key);

    const answers = await Promise.all([1, 2, 3].map(() => cancel(key, submitted.invocationId)));

    expect(answers.filter(({ cancelled }) => cancelled)).toHaveLength(1);
    expect(await eventsOf(key)).toHaveLength(1);
  });

  it('is refused for an invocation the session does not have', async () => {
    const key = aKey();
    const { submitted } = await submit(database.pool, key);

    for (const [where, id] of [
      [key, 'e-unknown'],
      [aKey(), submitted.invocationId],
    ] as const) {
      await expect(cancel(where, id)).rejects.toMatchObject({
        kind: 'not_found',
        code: 'invocation.not-found',
      });
    }
  });
});

describe('row 40: cancelling what waits for somebody', () => {
  it('answers its open calls, long-running ones too, and tells the end once', async () => {
    const { key, asked } = await aWaiting(database.pool, batcher, 'c1', 'c2');

    await cancel(key, asked.invocationId);
    await cancel(key, asked.invocationId);

    const [, , closing, end, ...more] = await eventsOf(key);
    expect(closing).toMatchObject({
      author: 'root_agent',
      content: {
        role: 'user',
        parts: ['c1', 'c2'].map((id) => ({
          functionResponse: { id, name: 'ask', response: { error: told.errorMessage } },
        })),
      },
      customMetadata: { 'skein.closedCalls': true },
    });
    expect(end).toMatchObject({ ...told, author: 'root_agent' });
    expect(more).toEqual([]);
    expect(await stateOf(key, asked.invocationId)).toMatchObject({ status: 'cancelled' });
  });

  it('row 43: refuses the answer that comes after it, and a resume, with 409', async () => {
    const { key, asked } = await aWaiting(database.pool, batcher, 'c1');
    await cancel(key, asked.invocationId);

    const late = answer(database.pool, key, 'c1');
    const resumed = submit(database.pool, key, { newMessage: undefined, invocationId: asked.invocationId });

    for (const refused of [late, resumed]) {
      await expect(refused).rejects.toMatchObject({ kind: 'conflict', code: 'invocation.cancelled' });
    }
    expect(await eventsOf(key)).toHaveLength(4);
  });

  it('ends it whole with the answer that is queued already', async () => {
    const { key, asked } = await aWaiting(database.pool, batcher, 'c1');
    const other = await startRun(database.pool, key);
    await answer(database.pool, key, 'c1');

    await cancel(key, asked.invocationId);

    expect(await stateOf(key, asked.invocationId)).toMatchObject({ status: 'cancelled', segment: 1 });
    expect(await batcher.append(aUnit(other, 1, { finish: completed }))).toBeDefined();
    expect(await stateOf(key, asked.invocationId)).toMatchObject({ status: 'cancelled' });
    expect((await eventsOf(key)).filter(({ errorCode }) => errorCode)).toHaveLength(1);
  });

  it('ends every answer that came early while it runs', async () => {
    const { key, asked } = await aWaiting(database.pool, batcher, 'c1', 'c2', 'c3');
    const { handover } = await answer(database.pool, key, 'c1', { runnerId: 'runner-1' });
    await answer(database.pool, key, 'c2');
    await cancel(key, asked.invocationId);

    await batcher.append(ending(handover ?? asked, 1));

    const { invocationId } = asked;
    for (const segment of [1, 2]) {
      expect(await readInvocation(database.pool, { ...keyOf(key), invocationId, segment })).toMatchObject({
        status: 'cancelled',
      });
    }
  });
});

describe('row 40: cancelling what runs', () => {
  it('names its holder, and tells it by every answer', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);

    const { cancelled } = await cancel(key, run.invocationId);

    expect(cancelled).toMatchObject({
      endSeq: undefined,
      holder: { runnerId: 'runner-1', epoch: run.epoch },
    });
    expect(await stateOf(key, run.invocationId)).toMatchObject({ status: 'running', cancelRequested: true });
    expect(await batcher.append(aUnit(run, 1, { has: [anEvent()] }))).toMatchObject({
      cancelRequested: true,
    });
    const leases = [{ invocationId: run.invocationId, epoch: run.epoch }];
    expect(await renewLeases(database.pool, { runnerId: 'runner-1', leases }, LEASE_MS)).toEqual({
      held: [run.invocationId],
      cancelRequested: [run.invocationId],
    });
  });

  it.each([completed, waiting, { status: 'failed', error: { code: 'x', message: 'y' } }] as const)(
    'lets no end hold but its own: not $status',
    async (finish) => {
      const key = aKey();
      const run = await startRun(database.pool, key);
      await cancel(key, run.invocationId);

      const refused = batcher.append(aUnit(run, 1, { has: [anEvent()], finish }));

      await expect(refused).rejects.toMatchObject({ code: 'append.cancel-requested' });
      await batcher.append(ending(run, 1));
      expect(await stateOf(key, run.invocationId)).toMatchObject({ status: 'cancelled' });
      expect(await eventsOf(key)).toHaveLength(1);
    },
  );

  it('refuses only the end of units that came together', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    await cancel(key, run.invocationId);

    const [said, finished] = await Promise.allSettled([
      batcher.append(aUnit(run, 1, { has: [anEvent()] })),
      batcher.append(aUnit(run, 2, { has: [anEvent()], finish: completed })),
    ]);

    expect(said).toMatchObject({ value: { lastSeq: 1, cancelRequested: true } });
    expect(finished).toMatchObject({ reason: { code: 'append.cancel-requested' } });
    await batcher.append(ending(run, 2));
    expect(await eventsOf(key)).toHaveLength(2);
  });

  it('comes before the end or after it, whichever is first, and never both', async () => {
    for (let round = 0; round < 60; round++) {
      const key = aKey();
      const run = await startRun(database.pool, key);
      const finish = () => batcher.append(aUnit(run, 1, { has: [anEvent()], finish: completed }));
      const ask = () => cancel(key, run.invocationId);
      const raced = round % 2 === 0 ? [ask(), finish()] : [finish(), ask()];

      const settled = await Promise.allSettled<unknown>(raced);

      const state = await stateOf(key, run.invocationId);
      const isFinished = settled.every(({ status }) => status === 'fulfilled');
      expect(state).toMatchObject(
        isFinished ? { status: 'completed' } : { status: 'running', cancelRequested: true },
      );
      if (isFinished) continue;
      await batcher.append(ending(run, 1));
      expect(await stateOf(key, run.invocationId)).toMatchObject({ status: 'cancelled', lastSeq: 1 });
    }
  });

  it('takes no result of its calls any more', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    const call = aCall();
    const { tickets } = await batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
    await cancel(key, run.invocationId);
    await batcher.append(ending(run, 2));

    const late = await storeResult(database.pool, {
      ...keyOf(key),
      invocationId: run.invocationId,
      tool: 'add',
      ticket: tickets[0] ?? { dispatchId: '', attempt: 1, deadlineMs: 0, hmac: '' },
      outcome: { kind: 'result', value: 1 },
      actions: anEvent().actions,
      execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
    });

    expect(late).toBe('duplicate');
  });
});

describe('row 40: what its runner does not end', () => {
  const call = { id: 'c1', name: 'add', args: {} };
  const calling = () =>
    anEvent({ author: 'worker', content: { role: 'model', parts: [{ functionCall: call }] } });

  it('is ended without it: the calls answered, the runner fenced, the next one free', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    await batcher.append(aUnit(run, 1, { has: [anEvent({ author: 'user' }), calling()] }));
    const { submitted } = await submit(database.pool, key);
    await cancel(key, run.invocationId);

    const ended = await endCancelled(database.pool, { ...key, invocationId: run.invocationId });

    expect(ended).toMatchObject({ cancelled: { endSeq: 4 }, next: { invocationId: submitted.invocationId } });
    expect((await eventsOf(key)).slice(2)).toMatchObject([
      { author: 'worker', content: { parts: [{ functionResponse: { id: 'c1', name: 'add' } }] } },
      { ...told, author: 'worker' },
    ]);
    for (const unit of [aUnit(run, 2, { has: [anEvent()] }), ending(run, 2)]) {
      await expect(batcher.append(unit)).rejects.toMatchObject({ code: 'append.fenced' });
    }
    expect(await endCancelled(database.pool, { ...key, invocationId: run.invocationId })).toMatchObject({
      cancelled: undefined,
    });
  });

  it('keeps what the user said, if no runner came to store it', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    await cancel(key, run.invocationId);

    await endCancelled(database.pool, { ...key, invocationId: run.invocationId });

    expect(await eventsOf(key)).toMatchObject([
      { author: 'user', content: { role: 'user', parts: [{ text: 'hi' }] } },
      told,
    ]);
  });

  it('is told once, also when its runner told of it and died before it could end it', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    await cancel(key, run.invocationId);
    await batcher.append(aUnit(run, 1, { has: [anEvent({ author: 'user' }), anEvent(told)] }));

    await endCancelled(database.pool, { ...key, invocationId: run.invocationId });

    expect(await eventsOf(key)).toHaveLength(2);
    expect(await stateOf(key, run.invocationId)).toMatchObject({ status: 'cancelled', lastSeq: 2 });
  });

  it('is begun by nobody else after it was given back', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    const { invocationId } = run;
    await cancel(key, invocationId);
    await releaseInvocation(database.pool, invocationId, run.epoch);

    const claim = { invocationId, runnerId: 'runner-2', claimId: randomUUID() };
    expect(await claimInvocation(database.pool, claim, LEASE_MS)).toBeUndefined();
    const overdue = await findOverdueCancels(database.pool, 0);
    expect(overdue).toContainEqual({ ...key, invocationId });
    await endCancelled(database.pool, { ...key, invocationId });
    expect(await stateOf(key, invocationId)).toMatchObject({ status: 'cancelled' });
    expect(await findOverdueCancels(database.pool, 0)).not.toContainEqual({ ...key, invocationId });
  });

  it('leaves alone what nobody asked to cancel', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);

    expect(await endCancelled(database.pool, { ...key, invocationId: run.invocationId })).toMatchObject({
      cancelled: undefined,
    });
    expect(await stateOf(key, run.invocationId)).toMatchObject({ status: 'running' });
  });

  it('stores no credential the user gave (B65)', async () => {
    const key = aKey();
    const asked = await startRun(database.pool, key);
    const question = { id: 'q1', name: 'adk_request_credential', args: {} };
    const has = [
      anEvent({
        content: { role: 'model', parts: [{ functionCall: question }] },
        longRunningToolIds: ['q1'],
      }),
    ];
    await batcher.append(aUnit(asked, 1, { has, finish: waiting }));
    const secret = { functionResponse: { id: 'q1', name: question.name, response: { key: 'secret' } } };
    await submit(database.pool, key, { newMessage: { role: 'user', parts: [secret] }, runnerId: 'runner-1' });

    await cancel(key, asked.invocationId);
    await endCancelled(database.pool, { ...key, invocationId: asked.invocationId });

    expect(JSON.stringify(await eventsOf(key))).not.toContain('secret');
  });
});

describe('a message that interrupts', () => {
  it('ends what is queued, asks what runs to end, and is next', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    const queued = await submit(database.pool, key);

    const newer = await submit(database.pool, key, { onBusy: 'interrupt', runnerId: 'runner-2' });

    expect(newer).toMatchObject({ handover: undefined, submitted: { afterSeq: 1 } });
    expect(newer.interrupted).toMatchObject([
      { invocationId: run.invocationId, endSeq: undefined, holder: { runnerId: 'runner-1' } },
      { invocationId: queued.submitted.invocationId, endSeq: 1, holder: undefined },
    ]);
    await batcher.append(ending(run, 1));
    expect(await stateOf(key, newer.submitted.invocationId)).toMatchObject({ status: 'running', lastSeq: 2 });
  });

  it('is claimed at once when all that made way could end at once', async () => {
    const key = aKey();
    await submit(database.pool, key);

    const newer = await submit(database.pool, key, { onBusy: 'interrupt', runnerId: 'runner-1' });

    expect(newer.handover).toMatchObject({ baseSeq: 1, lastSeq: 1 });
  });

  it('leaves what waits for somebody alone: that is not busy', async () => {
    const { key, asked } = await aWaiting(database.pool, batcher, 'c1');

    const newer = await submit(database.pool, key, { onBusy: 'interrupt', runnerId: 'runner-1' });

    expect(newer.interrupted).toEqual([]);
    expect(newer.handover).toBeDefined();
    expect(await stateOf(key, asked.invocationId)).toMatchObject({ status: 'waiting' });
  });

  it('is no policy for an answer', async () => {
    const { key } = await aWaiting(database.pool, batcher, 'c1');
    const run = await startRun(database.pool, key);

    const answered = await answer(database.pool, key, 'c1', { onBusy: 'interrupt' });

    expect(answered.interrupted).toEqual([]);
    expect((await stateOf(key, run.invocationId)).cancelRequested).toBeUndefined();
  });
});

it('row 43: an answer to a call of another round is not that of one which was cancelled', async () => {
  const { key, asked } = await aWaiting(database.pool, batcher, 'c1');
  await cancel(key, asked.invocationId);
  const later = await startRun(database.pool, key);
  await batcher.append(aUnit(later, 1, { has: [asking('c1')], finish: waiting }));

  const { submitted } = await submit(database.pool, key, { newMessage: responses('c1') });

  expect(submitted.invocationId).toBe(later.invocationId);
});
