import { readInvocation, claimInvocation, renewLeases, storeResult } from '@skein/session-store';
import { cancel, ending, eventsOf, keyOf, stateOf, told } from './cancel-harness';
import { answer, asking, aWaiting, completed, responses, waiting } from './segments-harness';
import { aCall, aKey, anEvent, aUnit, LEASE_MS, startRun, submit, useStore } from './session-store-harness';

const store = useStore();

describe('row 40: cancelling what is queued', () => {
  it('ends it at once, stores no message of it, and leaves what runs alone', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    const { submitted } = await submit(store.pool, key);

    const cancelling = await cancel(store.pool, key, submitted.invocationId);

    expect(cancelling).toMatchObject({ cancelled: { endSeq: 1, holder: undefined }, next: undefined });
    expect(await eventsOf(store.pool, key)).toMatchObject([
      { ...told, invocationId: submitted.invocationId, author: 'app' },
    ]);
    expect(await stateOf(store.pool, key, submitted.invocationId)).toMatchObject({
      status: 'cancelled',
      lastSeq: 1,
    });
    expect(await store.batcher.append(aUnit(run, 1, { has: [anEvent()], finish: completed }))).toMatchObject({
      lastSeq: 2,
      cancelRequested: false,
    });
  });

  it('names what the session goes on with, when nothing runs', async () => {
    const key = aKey();
    const [one, two] = [await submit(store.pool, key), await submit(store.pool, key)];

    const { next } = await cancel(store.pool, key, one.submitted.invocationId);

    expect(next).toEqual({ invocationId: two.submitted.invocationId, epoch: 0 });
    const claim = { ...next, invocationId: two.submitted.invocationId, runnerId: 'r', claimId: 'c' };
    expect(await claimInvocation(store.pool, claim, LEASE_MS)).toBeDefined();
  });

  it('is done once, however often it is asked for', async () => {
    const key = aKey();
    const { submitted } = await submit(store.pool, key);

    const answers = await Promise.all([1, 2, 3].map(() => cancel(store.pool, key, submitted.invocationId)));

    expect(answers.filter(({ cancelled }) => cancelled)).toHaveLength(1);
    expect(await eventsOf(store.pool, key)).toHaveLength(1);
  });

  it('is refused for an invocation the session does not have', async () => {
    const key = aKey();
    const { submitted } = await submit(store.pool, key);

    for (const [where, id] of [
      [key, 'e-unknown'],
      [aKey(), submitted.invocationId],
    ] as const) {
      await expect(cancel(store.pool, where, id)).rejects.toMatchObject({
        kind: 'not_found',
        code: 'invocation.not-found',
      });
    }
  });
});

describe('row 40: cancelling what waits for somebody', () => {
  it('answers its open calls, long-running ones too, and tells the end once', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1', 'c2');

    await cancel(store.pool, key, asked.invocationId);
    await cancel(store.pool, key, asked.invocationId);

    const [, , closing, end, ...more] = await eventsOf(store.pool, key);
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
    expect(await stateOf(store.pool, key, asked.invocationId)).toMatchObject({ status: 'cancelled' });
  });

  it('row 43: refuses the answer that comes after it, and a resume, with 409', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    await cancel(store.pool, key, asked.invocationId);

    const late = answer(store.pool, key, 'c1');
    const resumed = submit(store.pool, key, { newMessage: undefined, invocationId: asked.invocationId });

    for (const refused of [late, resumed]) {
      await expect(refused).rejects.toMatchObject({ kind: 'conflict', code: 'invocation.cancelled' });
    }
    expect(await eventsOf(store.pool, key)).toHaveLength(4);
  });

  it('ends it whole with the answer that is queued already', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const other = await startRun(store.pool, key);
    await answer(store.pool, key, 'c1');

    await cancel(store.pool, key, asked.invocationId);

    expect(await stateOf(store.pool, key, asked.invocationId)).toMatchObject({
      status: 'cancelled',
      segment: 1,
    });
    expect(await store.batcher.append(aUnit(other, 1, { finish: completed }))).toBeDefined();
    expect(await stateOf(store.pool, key, asked.invocationId)).toMatchObject({ status: 'cancelled' });
    expect((await eventsOf(store.pool, key)).filter(({ errorCode }) => errorCode)).toHaveLength(1);
  });

  it('ends every answer that came early while it runs', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1', 'c2', 'c3');
    const { handover } = await answer(store.pool, key, 'c1', { runnerId: 'runner-1' });
    await answer(store.pool, key, 'c2');
    await cancel(store.pool, key, asked.invocationId);

    await store.batcher.append(ending(handover ?? asked, 1));

    const { invocationId } = asked;
    for (const segment of [1, 2]) {
      expect(await readInvocation(store.pool, { ...keyOf(key), invocationId, segment })).toMatchObject({
        status: 'cancelled',
      });
    }
  });
});

describe('row 40: cancelling what runs', () => {
  it('names its holder, and tells it by every answer', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);

    const { cancelled } = await cancel(store.pool, key, run.invocationId);

    expect(cancelled).toMatchObject({
      endSeq: undefined,
      holder: { runnerId: 'runner-1', epoch: run.epoch },
    });
    expect(await stateOf(store.pool, key, run.invocationId)).toMatchObject({
      status: 'running',
      cancelRequestTime: expect.any(Number),
    });
    expect(await store.batcher.append(aUnit(run, 1, { has: [anEvent()] }))).toMatchObject({
      cancelRequested: true,
    });
    const leases = [{ invocationId: run.invocationId, epoch: run.epoch }];
    expect(await renewLeases(store.pool, { runnerId: 'runner-1', leases }, LEASE_MS)).toEqual({
      held: [run.invocationId],
      cancelRequested: [run.invocationId],
    });
  });

  it.each([completed, waiting, { status: 'failed', error: { code: 'x', message: 'y' } }] as const)(
    'lets no end hold but its own: not $status',
    async (finish) => {
      const key = aKey();
      const run = await startRun(store.pool, key);
      await cancel(store.pool, key, run.invocationId);

      const refused = store.batcher.append(aUnit(run, 1, { has: [anEvent()], finish }));

      await expect(refused).rejects.toMatchObject({ code: 'append.cancel-requested' });
      await store.batcher.append(ending(run, 1));
      expect(await stateOf(store.pool, key, run.invocationId)).toMatchObject({ status: 'cancelled' });
      expect(await eventsOf(store.pool, key)).toHaveLength(1);
    },
  );

  it('refuses only the end of units that came together', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await cancel(store.pool, key, run.invocationId);

    const [said, finished] = await Promise.allSettled([
      store.batcher.append(aUnit(run, 1, { has: [anEvent()] })),
      store.batcher.append(aUnit(run, 2, { has: [anEvent()], finish: completed })),
    ]);

    expect(said).toMatchObject({ value: { lastSeq: 1, cancelRequested: true } });
    expect(finished).toMatchObject({ reason: { code: 'append.cancel-requested' } });
    await store.batcher.append(ending(run, 2));
    expect(await eventsOf(store.pool, key)).toHaveLength(2);
  });

  it('comes before the end or after it, whichever is first, and never both', async () => {
    for (let round = 0; round < 60; round++) {
      const key = aKey();
      const run = await startRun(store.pool, key);
      const finish = () => store.batcher.append(aUnit(run, 1, { has: [anEvent()], finish: completed }));
      const ask = () => cancel(store.pool, key, run.invocationId);
      const raced = round % 2 === 0 ? [ask(), finish()] : [finish(), ask()];

      const settled = await Promise.allSettled<unknown>(raced);

      const state = await stateOf(store.pool, key, run.invocationId);
      const isFinished = settled.every(({ status }) => status === 'fulfilled');
      expect(state).toMatchObject(
        isFinished ? { status: 'completed' } : { status: 'running', cancelRequestTime: expect.any(Number) },
      );
      if (isFinished) continue;
      await store.batcher.append(ending(run, 1));
      expect(await stateOf(store.pool, key, run.invocationId)).toMatchObject({
        status: 'cancelled',
        lastSeq: 1,
      });
    }
  });

  it('takes no result of its calls any more', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    const call = aCall();
    const { tickets } = await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
    await cancel(store.pool, key, run.invocationId);
    await store.batcher.append(ending(run, 2));

    const late = await storeResult(store.pool, {
      ...keyOf(key),
      invocationId: run.invocationId,
      tool: 'add',
      ticket: tickets[0] ?? { dispatchId: '', attempt: 1, deadlineMs: 0, hmac: '' },
      outcome: { kind: 'result', value: 1 },
      actions: anEvent().actions,
      execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
    });

    expect(late).toBe('late');
  });
});

it('row 43: an answer to a call of another round is not that of one which was cancelled', async () => {
  const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
  await cancel(store.pool, key, asked.invocationId);
  const later = await startRun(store.pool, key);
  await store.batcher.append(aUnit(later, 1, { has: [asking('c1')], finish: waiting }));

  const { submitted } = await submit(store.pool, key, { newMessage: responses('c1') });

  expect(submitted.invocationId).toBe(later.invocationId);
});
