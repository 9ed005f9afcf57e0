import { randomUUID } from 'node:crypto';
import {
  claimInvocation,
  endOverdueCancel,
  findOverdueCancels,
  releaseInvocation,
} from '@skein/session-store';
import { cancel, ending, eventsOf, stateOf, told } from './cancel-harness';
import { answer, aWaiting, waiting } from './segments-harness';
import { aKey, anEvent, aUnit, LEASE_MS, startRun, submit, useStore } from './session-store-harness';

const store = useStore();

describe('row 40: what its runner does not end', () => {
  const call = { id: 'c1', name: 'add', args: {} };
  const calling = () =>
    anEvent({ author: 'worker', content: { role: 'model', parts: [{ functionCall: call }] } });

  it('is ended without it: the calls answered, the runner fenced, the next one free', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await store.batcher.append(aUnit(run, 1, { has: [anEvent({ author: 'user' }), calling()] }));
    const { submitted } = await submit(store.pool, key);
    await cancel(store.pool, key, run.invocationId);

    const ended = await endOverdueCancel(store.pool, { ...key, invocationId: run.invocationId });

    expect(ended).toMatchObject({ cancelled: { endSeq: 4 }, next: { invocationId: submitted.invocationId } });
    expect((await eventsOf(store.pool, key)).slice(2)).toMatchObject([
      { author: 'worker', content: { parts: [{ functionResponse: { id: 'c1', name: 'add' } }] } },
      { ...told, author: 'worker' },
    ]);
    for (const unit of [aUnit(run, 2, { has: [anEvent()] }), ending(run, 2)]) {
      await expect(store.batcher.append(unit)).rejects.toMatchObject({ code: 'append.fenced' });
    }
    expect(await endOverdueCancel(store.pool, { ...key, invocationId: run.invocationId })).toMatchObject({
      cancelled: undefined,
    });
  });

  it('keeps what the user said, if no runner came to store it', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await cancel(store.pool, key, run.invocationId);

    await endOverdueCancel(store.pool, { ...key, invocationId: run.invocationId });

    expect(await eventsOf(store.pool, key)).toMatchObject([
      { author: 'user', content: { role: 'user', parts: [{ text: 'hi' }] } },
      told,
    ]);
  });

  it('is told once, also when its runner told of it and died before it could end it', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await cancel(store.pool, key, run.invocationId);
    await store.batcher.append(aUnit(run, 1, { has: [anEvent({ author: 'user' }), anEvent(told)] }));

    await endOverdueCancel(store.pool, { ...key, invocationId: run.invocationId });

    expect(await eventsOf(store.pool, key)).toHaveLength(2);
    expect(await stateOf(store.pool, key, run.invocationId)).toMatchObject({
      status: 'cancelled',
      lastSeq: 2,
    });
  });

  it('is begun by nobody else after it was given back', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    const { invocationId } = run;
    await cancel(store.pool, key, invocationId);
    await releaseInvocation(store.pool, invocationId, run.epoch);

    const claim = { invocationId, runnerId: 'runner-2', claimId: randomUUID() };
    expect(await claimInvocation(store.pool, claim, LEASE_MS)).toBeUndefined();
    const overdue = await findOverdueCancels(store.pool, 0);
    expect(overdue).toContainEqual({ ...key, invocationId });
    await endOverdueCancel(store.pool, { ...key, invocationId });
    expect(await stateOf(store.pool, key, invocationId)).toMatchObject({ status: 'cancelled' });
    expect(await findOverdueCancels(store.pool, 0)).not.toContainEqual({ ...key, invocationId });
  });

  it('leaves alone what nobody asked to cancel', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);

    expect(await endOverdueCancel(store.pool, { ...key, invocationId: run.invocationId })).toMatchObject({
      cancelled: undefined,
    });
    expect(await stateOf(store.pool, key, run.invocationId)).toMatchObject({ status: 'running' });
  });

  it('stores no credential the user gave (B65)', async () => {
    const key = aKey();
    const asked = await startRun(store.pool, key);
    const question = { id: 'q1', name: 'adk_request_credential', args: {} };
    const has = [
      anEvent({
        content: { role: 'model', parts: [{ functionCall: question }] },
        longRunningToolIds: ['q1'],
      }),
    ];
    await store.batcher.append(aUnit(asked, 1, { has, finish: waiting }));
    const secret = { functionResponse: { id: 'q1', name: question.name, response: { key: 'secret' } } };
    await submit(store.pool, key, { newMessage: { role: 'user', parts: [secret] }, runnerId: 'runner-1' });

    await cancel(store.pool, key, asked.invocationId);
    await endOverdueCancel(store.pool, { ...key, invocationId: asked.invocationId });

    expect(JSON.stringify(await eventsOf(store.pool, key))).not.toContain('secret');
  });
});

describe('a message that interrupts', () => {
  it('ends what is queued, asks what runs to end, and is next', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    const queued = await submit(store.pool, key);

    const newer = await submit(store.pool, key, { onBusy: 'interrupt', runnerId: 'runner-2' });

    expect(newer).toMatchObject({ handover: undefined, submitted: { afterSeq: 1 } });
    expect(newer.interrupted).toMatchObject([
      { invocationId: run.invocationId, endSeq: undefined, holder: { runnerId: 'runner-1' } },
      { invocationId: queued.submitted.invocationId, endSeq: 1, holder: undefined },
    ]);
    await store.batcher.append(ending(run, 1));
    expect(await stateOf(store.pool, key, newer.submitted.invocationId)).toMatchObject({
      status: 'running',
      lastSeq: 2,
    });
  });

  it('is claimed at once when all that made way could end at once', async () => {
    const key = aKey();
    await submit(store.pool, key);

    const newer = await submit(store.pool, key, { onBusy: 'interrupt', runnerId: 'runner-1' });

    expect(newer.handover).toMatchObject({ baseSeq: 1, lastSeq: 1 });
  });

  it('leaves what waits for somebody alone: that is not busy', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');

    const newer = await submit(store.pool, key, { onBusy: 'interrupt', runnerId: 'runner-1' });

    expect(newer.interrupted).toEqual([]);
    expect(newer.handover).toBeDefined();
    expect(await stateOf(store.pool, key, asked.invocationId)).toMatchObject({ status: 'waiting' });
  });

  it('is no policy for an answer', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');
    const run = await startRun(store.pool, key);

    const answered = await answer(store.pool, key, 'c1', { onBusy: 'interrupt' });

    expect(answered.interrupted).toEqual([]);
    expect((await stateOf(store.pool, key, run.invocationId)).cancelRequestTime).toBeUndefined();
  });
});
