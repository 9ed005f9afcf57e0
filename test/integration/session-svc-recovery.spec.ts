import {
  type EventMessage,
  eventMessageSchema,
  type PartialFrame,
  type SessionKey,
  type ToolCallMessage,
  toolCallMessageSchema,
} from '@skein/contracts';
import { AppendBatcher } from '@skein/session-store';
import { servicePerTest } from './session-services';
import { aCall, aKey, anEvent, aUnit, eventually, LEASE_MS, SECRET } from './session-store-harness';
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

const { ground, cleanup } = servicePerTest({ SWEEP_MS: '200' });

const aRunner = (...how: HowItAnswers) => startFakeRunner(ground, cleanup, ...how);

/** What a session's followers get to see. */
async function watch(key: SessionKey): Promise<{ published: EventMessage[]; frames: PartialFrame[] }> {
  const published = await follow(ground, cleanup, key);
  return { published, frames: await followPartials(ground, cleanup, key) };
}

describe('session-svc after something went wrong', () => {
  it('goes on with another runner after a lease expires: resume material, calls sent again, results given', async () => {
    const dying = await aRunner('dying');
    const key = aKey();
    const first = await handoverOf(dying, await submitTo(ground, key));
    const [lost, done] = [aCall(), aCall()];
    const event = anEvent();
    const { tickets } = await appendTo(
      ground,
      aUnit(first, 1, {
        runnerId: 'dying',
        has: [event],
        calls: [lost, done],
        records: [{ stepKey: '0/root.0/model.0', kind: 'empty', payload: null }],
      }),
    );
    await dying.stop();
    await publishResult(ground, first, tickets[1]);
    await eventually(
      'the result to be stored',
      async () => (await statusOfCall(ground, done.dispatchId)) === 'done' || undefined,
    );
    const sent: ToolCallMessage[] = [];
    cleanup.add(await consume(ground, 'TOOLS', toolCallMessageSchema, (message) => sent.push(message)));
    const heir = await aRunner('heir');

    await ground.database.pool.query(
      `UPDATE adk_invocations SET lease_until = now() - interval '1 s' WHERE id = $1`,
      [first.invocationId],
    );

    const second = await handoverOf(heir, first);
    expect(second).toMatchObject({
      invocationId: first.invocationId,
      epoch: 3,
      attempt: 1,
      baseSeq: 0,
      lastSeq: 1,
      fromSeq: 0,
      events: [{ seq: 1, stepKey: '0/root.0/event.1.0', event: { id: event.id } }],
      records: [{ stepKey: '0/root.0/model.0', kind: 'empty' }],
    });
    expect(new Map(second.openCalls.map((call) => [call.dispatchId, call.result !== undefined]))).toEqual(
      new Map([
        [lost.dispatchId, false],
        [done.dispatchId, true],
      ]),
    );
    await eventually('the lost call', () => sent.find(({ call }) => call.dispatchId === lost.dispatchId));
    expect(sent.some(({ call }) => call.dispatchId === done.dispatchId)).toBe(false);
    await resultOf(heir, done);
    await expect(appendTo(ground, aUnit(first, 2, { has: [anEvent()] }))).rejects.toMatchObject({
      code: 'append.fenced',
    });
  });

  it('sends a call that its living owner could not publish, until the stream has it', async () => {
    const sent: ToolCallMessage[] = [];
    cleanup.add(await consume(ground, 'TOOLS', toolCallMessageSchema, (message) => sent.push(message)));
    const runner = await aRunner();
    const handover = await handoverOf(runner, await submitTo(ground, aKey()));
    const call = aCall();
    await appendTo(
      ground,
      aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] }),
    );

    await eventually('the call', () =>
      sent.find(({ call: { dispatchId } }) => dispatchId === call.dispatchId),
    );

    await eventually('the note that it is sent', async () => {
      const { rows } = await ground.database.pool.query<{ is_sent: boolean }>(
        'SELECT confirmed_at IS NOT NULL AS is_sent FROM adk_tool_calls WHERE dispatch_id = $1',
        [call.dispatchId],
      );
      return rows[0]?.is_sent ? true : undefined;
    });
  });

  it('goes on where a process died after its commit: events, end of the stream, the next invocation', async () => {
    const key = aKey();
    const seen = await watch(key);
    const runner = await aRunner();
    const first = await submitTo(ground, key);
    const second = await submitTo(ground, key);
    const handover = await handoverOf(runner, first);
    const unit = aUnit(handover, 1, {
      runnerId: runner.runnerId,
      has: [anEvent()],
      finish: { status: 'completed' },
    });
    // Stores, and does nothing of what follows.
    const dying = new AppendBatcher(ground.database.pool, { secret: SECRET, leaseMs: LEASE_MS });
    await dying.append(unit);

    await appendTo(ground, unit);

    await handoverOf(runner, second);
    await eventually('the end of the stream', () => seen.frames[0]);
    expect(seen.frames).toMatchObject([
      { kind: 'end', invocationId: handover.invocationId, segment: 0, status: 'completed', afterSeq: 1 },
    ]);
    await eventually('the event', () => seen.published[0]);
    expect(seen.published.map(({ seq }) => seq)).toEqual([1]);
  });

  it('tells of an invocation that is given up: its last event and the end of the stream', async () => {
    const key = aKey();
    const seen = await watch(key);
    const runner = await aRunner();
    const { invocationId } = await handoverOf(runner, await submitTo(ground, key));

    await ground.database.pool.query(
      `UPDATE adk_invocations SET attempt = 5, lease_until = now() - interval '1 s' WHERE id = $1`,
      [invocationId],
    );

    await eventually('the end of the stream', () => seen.frames[0]);
    expect(seen.frames).toMatchObject([
      {
        kind: 'end',
        invocationId,
        segment: 0,
        status: 'dead',
        error: { code: 'invocation.dead' },
        afterSeq: 2,
      },
    ]);
    await eventually('both events', () => seen.published[1]);
    expect(seen.published.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('goes on with the early answer to an invocation that is given up', async () => {
    const key = aKey();
    const seen = await watch(key);
    const runner = await aRunner();
    const first = await handoverOf(runner, await submitTo(ground, key));
    const call = { functionCall: { id: 'c1', name: 'ask', args: {} } };
    const asking = { content: { role: 'model', parts: [call] }, longRunningToolIds: ['c1'] };
    await appendTo(ground, aUnit(first, 1, { runnerId: runner.runnerId, has: [anEvent(asking)] }));
    const answer = { functionResponse: { id: 'c1', name: 'ask', response: {} } };
    await submitTo(ground, { ...key, newMessage: { role: 'user', parts: [answer] } });
    // As if this claim had stored nothing and four before it neither.
    await ground.database.pool.query('UPDATE adk_sessions SET append_no = 0 WHERE id = $1', [key.sessionId]);

    await ground.database.pool.query(
      `UPDATE adk_invocations SET attempt = 5, lease_until = now() - interval '1 s' WHERE id = $1`,
      [first.invocationId],
    );

    const second = await handoverOf(runner, first, 1);
    expect(second).toMatchObject({ invocationId: first.invocationId, attempt: 1, baseSeq: 2 });
    await eventually('the end of the first', () => seen.frames[0]);
    expect(seen.frames).toMatchObject([{ kind: 'end', segment: 0, status: 'dead', afterSeq: 2 }]);
  });

  it('ends a call at its deadline with an error its owner gets', async () => {
    const runner = await aRunner();
    const handover = await handoverOf(runner, await submitTo(ground, aKey()));
    const call = aCall();
    await appendTo(
      ground,
      aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] }),
    );

    await ground.database.pool.query(
      `UPDATE adk_tool_calls SET deadline = now() - interval '1 s' WHERE dispatch_id = $1`,
      [call.dispatchId],
    );

    const { outcome } = await resultOf(runner, call);
    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.deadline' });
  });

  it('publishes what was committed and never published, in order', async () => {
    const key = aKey();
    const { published } = await watch(key);
    const runner = await aRunner();
    const handover = await handoverOf(runner, await submitTo(ground, key));
    await ground.database.pool.query(
      `INSERT INTO adk_events (app_name, user_id, session_id, id, seq, author, actions, "timestamp")
       SELECT $1, $2, $3, 'left' || n, n, 'root', '{"stateDelta":{},"artifactDelta":{},"requestedAuthConfigs":{},"requestedToolConfirmations":{}}', now()
         FROM generate_series(1, 3) n`,
      [key.appName, key.userId, key.sessionId],
    );
    await ground.database.pool.query(
      `UPDATE adk_sessions SET last_seq = 3, updated_at = now() - interval '5 s' WHERE id = $1`,
      [key.sessionId],
    );
    await ground.database.pool.query(`UPDATE adk_events SET invocation_id = $2 WHERE session_id = $1`, [
      key.sessionId,
      handover.invocationId,
    ]);

    await eventually('the relay', () => (published.length >= 3 ? true : undefined));

    expect(published.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('row 13: keeps 20 sessions in order, each event once, in the stream when three instances commit in turn', async () => {
    const second = await ground.startService({ SWEEP_MS: '200' });
    const third = await ground.startService({ SWEEP_MS: '200' });
    cleanup.add(() => Promise.all([second.stop(), third.stop()]));
    const runner = await aRunner();
    await runner.setCredit(20);
    const keys = Array.from({ length: 20 }, () => aKey());
    const seqs = new Map(keys.map(({ sessionId }) => [sessionId, [] as number[]]));
    for (const key of keys) await submitTo(ground, key);
    // Runs that earlier tests left behind are handed over too.
    const handovers = await eventually('the hand-overs', () => {
      const ours = runner.handovers.filter(({ sessionId }) => seqs.has(sessionId));
      return ours.length === keys.length ? ours : undefined;
    });

    for (let no = 1; no <= 20; no++) {
      await Promise.all(
        handovers.map((run) =>
          appendTo(ground, aUnit(run, no, { runnerId: runner.runnerId, has: [anEvent(), anEvent()] })),
        ),
      );
    }
    cleanup.add(
      await consume(ground, 'EVENTS', eventMessageSchema, ({ sessionUid, seq }) => {
        const run = handovers.find((handover) => handover.sessionUid === sessionUid);
        seqs.get(run?.sessionId ?? '')?.push(seq);
      }),
    );

    await eventually('all events', () =>
      [...seqs.values()].every(({ length }) => length >= 40) ? true : undefined,
    );
    const dense = Array.from({ length: 40 }, (_, index) => index + 1);
    expect([...seqs.values()]).toEqual(keys.map(() => dense));
  });
});
