import {
  deadLetterDetailsSchema,
  eventMessageSchema,
  eventPageSchema,
  invocationStateSchema,
  runPointerSchema,
  sessionSchema,
  subjects,
} from '@skein/contracts';
import { subscribeCore } from '@skein/messaging';
import { mintTicket } from '@skein/session-store';
import { RunnerDirectory } from '../../apps/session-svc/src/sessions/runner-directory';
import { servicePerTest } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  consume,
  follow,
  followPartials,
  handoverOf,
  type HowItAnswers,
  publishResult,
  resultOf,
  startFakeRunner,
  statusOfCall,
  submitTo,
} from './session-svc-harness';

const spec = servicePerTest({ SWEEP_MS: '200' });
const { ground, cleanup } = spec;

const aRunner = (...how: HowItAnswers) => startFakeRunner(ground, cleanup, ...how);

describe('session-svc', () => {
  it('carries a turn: submit, hand-over, appends, events in order, end of the stream', async () => {
    const runner = await aRunner();
    const key = aKey({ userId: 'a.b 日本' });
    const published = await follow(ground, cleanup, key);
    const frames = await followPartials(ground, cleanup, key);

    const submitted = await submitTo(ground, key);
    const handover = await handoverOf(runner, submitted);
    const answers = await Promise.all([
      appendTo(
        ground,
        aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent({ author: 'user' }), anEvent()] }),
      ),
      appendTo(
        ground,
        aUnit(handover, 2, { runnerId: runner.runnerId, has: [anEvent()], finish: { status: 'completed' } }),
      ),
    ]);

    expect(handover).toMatchObject({
      ...key,
      invocationId: submitted.invocationId,
      epoch: 1,
      attempt: 1,
      lastSeq: 0,
    });
    expect(answers.map(({ lastSeq }) => lastSeq)).toEqual([2, 3]);
    await eventually('the end frame', () => frames.at(-1));
    expect(frames).toEqual([
      { kind: 'end', invocationId: submitted.invocationId, segment: 0, status: 'completed', afterSeq: 3 },
    ]);
    await eventually('three events', () => (published.length >= 3 ? published : undefined));
    expect(published.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    const page = await read(key);
    expect(page.events.map(({ event }) => event)).toEqual(published.map(({ event }) => event));
    const state = await ground.rpc.request(
      subjects.sessionRpc('invocation'),
      invocationStateSchema,
      { ...key, invocationId: submitted.invocationId },
      { timeoutMs: 5_000 },
    );
    expect(state).toMatchObject({ status: 'completed', lastSeq: 3 });
    await eventually('the published head to be noted', async () => {
      const { rows } = await ground.database.pool.query<{ published_seq: number }>(
        'SELECT published_seq FROM adk_sessions WHERE id = $1',
        [key.sessionId],
      );
      return rows[0]?.published_seq === 3 ? true : undefined;
    });
  });

  it('publishes a unit in order, also when some of its events are too large for a message', async () => {
    const small = await ground.startService({ SWEEP_MS: '200', PAYLOAD_LIMIT_BYTES: '1024' });
    // So that this one takes the append.
    await spec.service.stop();
    cleanup.add(() => small.stop());
    const runner = await aRunner();
    const key = aKey();
    const seqs: number[] = [];
    const subscription = subscribeCore(
      ground.connection,
      subjects.event(key),
      eventMessageSchema,
      ({ seq }) => seqs.push(seq),
    );
    cleanup.add(() => subscription.close());
    await ground.connection.flush();
    const handover = await handoverOf(runner, await submitTo(ground, key));
    const text = (bytes: number) => anEvent({ content: { parts: [{ text: 'x'.repeat(bytes) }] } });
    const has = Array.from({ length: 20 }, (_, index) => text(index % 3 === 0 ? 50_000 : 10));

    await appendTo(ground, aUnit(handover, 1, { runnerId: runner.runnerId, has }));

    await eventually('all events', () => (seqs.length >= has.length ? true : undefined));
    expect(seqs).toEqual(has.map((_, index) => index + 1));
  });

  it('points to an invocation when no runner has credit, and gives it to whoever claims it', async () => {
    const pointers: string[] = [];

    const submitted = await submitTo(ground, aKey());
    cleanup.add(
      await consume(ground, 'RUNS', runPointerSchema, ({ invocationId }) => pointers.push(invocationId)),
    );

    await eventually('the pointer', () => pointers.find((id) => id === submitted.invocationId));
  });

  it('points again after a refusal, and fences a runner that took the run without being heard', async () => {
    const refuser = await aRunner(undefined, (message) => (message.kind === 'run' ? 'refused' : 'unknown'));
    const key = aKey();

    await submitTo(ground, key);
    const refused = await eventually('the refusal', () =>
      refuser.handovers.find(({ sessionId }) => sessionId === key.sessionId),
    );
    await refuser.setCredit(0);
    const taker = await aRunner();
    const taken = await eventually('the hand-over to another', () =>
      taker.handovers.find(({ invocationId }) => invocationId === refused.invocationId),
    );

    expect(taken.epoch).toBeGreaterThan(refused.epoch);
    await expect(appendTo(ground, aUnit(refused, 1, { has: [anEvent()] }))).rejects.toMatchObject({
      code: 'append.fenced',
    });
  });

  it('row 8: waits for a runner that is slow to answer, and takes back from one that never does', async () => {
    const passedOver = jest.spyOn(RunnerDirectory.prototype, 'refused');
    cleanup.add(() => passedOver.mockRestore());
    const slow = await aRunner('slow', async (): Promise<'accepted'> => {
      await eventually('no more work for it', () => passedOver.mock.calls.flat().find((id) => id === 'slow'));
      return 'accepted';
    });
    const accepted = await handoverOf(slow, await submitTo(ground, aKey()));
    await appendTo(ground, aUnit(accepted, 1, { runnerId: 'slow', has: [anEvent()] }));
    await slow.stop();
    const key = aKey();
    let wake = (): void => undefined;
    const hung = await aRunner('hung', () => new Promise((resolve) => (wake = () => resolve('refused'))));
    cleanup.add(() => wake());
    const unanswered = await handoverOf(hung, await submitTo(ground, key));
    await hung.setCredit(0);
    const other = await aRunner('other');

    const taken = await handoverOf(other, unanswered);

    expect(taken).toMatchObject({ invocationId: unanswered.invocationId, epoch: unanswered.epoch + 2 });
    // The slow one was never taken back: its units still count.
    await appendTo(ground, aUnit(accepted, 2, { runnerId: 'slow', has: [anEvent()] }));
  });

  it('hands the next invocation to the same runner when the one before it ends', async () => {
    const runner = await aRunner();
    const key = aKey();
    const earlier = await submitTo(ground, key);
    const second = await submitTo(ground, key);
    const first = await handoverOf(runner, earlier);

    await appendTo(
      ground,
      aUnit(first, 1, { runnerId: runner.runnerId, has: [anEvent()], finish: { status: 'completed' } }),
    );

    const next = await handoverOf(runner, second);
    expect(next).toMatchObject({
      epoch: 2,
      baseSeq: 1,
      lastSeq: 1,
      fromSeq: 1,
    });
  });

  it('hands a runner with one place a run after each that ends, though it says nothing meanwhile', async () => {
    const runner = await aRunner();
    await runner.announceOnce(1);

    for (const _turn of [1, 2, 3]) {
      const handover = await handoverOf(runner, await submitTo(ground, aKey()));
      await appendTo(
        ground,
        aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], finish: { status: 'completed' } }),
      );
    }

    expect(runner.handovers).toHaveLength(3);
  });

  it('forwards a result to the owner and stores it on its own when nobody takes it', async () => {
    let disposition: 'applied' | 'held' = 'applied';
    const runner = await aRunner(undefined, (message) => (message.kind === 'run' ? 'accepted' : disposition));
    const key = aKey();
    const handover = await handoverOf(runner, await submitTo(ground, key));
    const [one, two] = [aCall(), aCall()];
    const { tickets } = await appendTo(
      ground,
      aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [one, two] }),
    );

    await publishResult(ground, handover, tickets[0]);
    await resultOf(runner, one);
    disposition = 'held';
    await publishResult(ground, handover, tickets[1]);

    await eventually(
      'the second to be stored',
      async () => (await statusOfCall(ground, two.dispatchId)) === 'done' || undefined,
    );
    expect(await statusOfCall(ground, one.dispatchId)).toBe('dispatched');
  });

  it('drops a forged result', async () => {
    const runner = await aRunner();
    const handover = await handoverOf(runner, await submitTo(ground, aKey()));
    const call = aCall();
    await appendTo(
      ground,
      aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] }),
    );
    const forged = mintTicket('another secret', 'add', {
      dispatchId: call.dispatchId,
      attempt: 1,
      deadlineMs: Date.now() + 1e6,
    });

    await publishResult(ground, handover, forged);

    await eventually(
      'the forged result to be counted',
      async () => (await spec.service.health.metrics.render()).includes('disposition="forged"') || undefined,
    );
    expect(await statusOfCall(ground, call.dispatchId)).toBe('dispatched');
    expect(runner.results.filter(({ ticket }) => ticket.dispatchId === call.dispatchId)).toEqual([]);
  });

  it('ends the call of a result that cannot be stored as it is', async () => {
    const runner = await aRunner(undefined, (message) => (message.kind === 'run' ? 'accepted' : 'held'));
    const handover = await handoverOf(runner, await submitTo(ground, aKey()));
    const call = aCall();
    const unit = aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] });
    const { tickets } = await appendTo(ground, unit);

    // A NUL, which no jsonb holds; a worker of ours takes it out.
    await publishResult(ground, handover, tickets[0], String.fromCharCode(0));

    await eventually(
      'the call to end',
      async () => (await statusOfCall(ground, call.dispatchId)) === 'dead' || undefined,
    );
    const letter = { appName: handover.appName, dispatchId: call.dispatchId };
    const asked = ground.rpc.request(subjects.deadLetterRpc('inspect'), deadLetterDetailsSchema, letter, {
      timeoutMs: 5_000,
    });
    expect(await asked).toMatchObject({ code: 'tool.unserialisable', status: 'open', args: { a: 1 } });
  });

  it('creates, gets, lists and deletes sessions, each user seeing their own', async () => {
    const [ann, bob] = [
      aKey({ userId: 'ann', sessionId: 'same' }),
      aKey({ userId: 'bob', sessionId: 'same' }),
    ];
    const ask = (verb: 'create' | 'get', body: object) =>
      ground.rpc.request(subjects.sessionRpc(verb), sessionSchema.nullable(), body, { timeoutMs: 5_000 });

    const created = await ask('create', { ...ann, state: { a: 1, 'user:b': 2, 'temp:c': 3 } });
    await ask('create', bob);

    expect(created?.state).toEqual({ a: 1, 'user:b': 2 });
    expect((await ask('get', bob))?.state).toEqual({});
    await expect(ask('create', ann)).rejects.toMatchObject({
      code: 'session.exists',
      message: 'Session already exists: same',
    });
    await ground.rpc.request(subjects.sessionRpc('delete'), sessionSchema.nullable(), ann, {
      timeoutMs: 5_000,
    });
    expect(await ask('get', ann)).toBeNull();
    expect((await ask('get', bob))?.id).toBe('same');
  });

  it('is ready while Postgres and NATS are there', async () => {
    expect(await spec.service.health.readiness()).toEqual({
      isReady: true,
      body: { status: 'ok', checks: { nats: 'up', jetstream: 'up', objects: 'up', postgres: 'up' } },
    });
  });
});

function read(key: object) {
  return ground.rpc.request(
    subjects.sessionRpc('events'),
    eventPageSchema,
    { ...key, afterSeq: 0 },
    { timeoutMs: 5_000 },
  );
}
