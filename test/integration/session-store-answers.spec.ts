import { randomUUID } from 'node:crypto';
import { type SessionKey } from '@skein/contracts';
import { createSession, readInvocation, rewindSession } from '@skein/session-store';
import { answer, asking, aWaiting, completed, responses, waiting } from './segments-harness';
import { aKey, anEvent, anEventWithDelta, aUnit, startRun, submit, useStore } from './session-store-harness';

const store = useStore();

describe('an answer to a call (B47)', () => {
  it('goes on with the invocation that asked, as its next segment, from the state of now (B47)', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const chat = await startRun(store.pool, key);
    await store.batcher.append(
      aUnit(chat, 1, { has: [anEventWithDelta({ mood: 'good' })], finish: completed }),
    );

    const { submitted, handover } = await answer(store.pool, key, 'c1', { runnerId: 'runner-1' });

    expect(submitted).toMatchObject({ invocationId: asked.invocationId, segment: 1, afterSeq: 3 });
    expect(handover).toMatchObject({
      invocationId: asked.invocationId,
      segment: 1,
      attempt: 1,
      epoch: 3,
      input: { ordinal: 1, newMessage: responses('c1') },
      baseSeq: 3,
      lastSeq: 3,
      sessionState: { mood: 'good' },
      records: [],
      openCalls: [],
    });
    await store.batcher.append(
      aUnit({ ...asked, segment: 1, epoch: 3 }, 1, { has: [anEvent()], finish: completed }),
    );
    expect(await statusOf(key, asked.invocationId)).toMatchObject({
      status: 'completed',
      segment: 1,
      lastSeq: 4,
    });
  });

  it.each(['waiting', 'completed', 'failed'] as const)(
    'is taken of an invocation that is %s (B47)',
    async (status) => {
      const key = aKey();
      const asked = await startRun(store.pool, key);
      await store.batcher.append(aUnit(asked, 1, { has: [asking('c1')], finish: { status } }));

      const { handover } = await answer(store.pool, key, 'c1', { runnerId: 'runner-1' });

      expect(handover).toMatchObject({ invocationId: asked.invocationId, segment: 1 });
    },
  );

  it('goes to the latest call of its id, because models use one again (B47)', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');
    const later = await startRun(store.pool, key);
    await store.batcher.append(aUnit(later, 1, { has: [asking('c1')], finish: waiting }));

    expect((await answer(store.pool, key, 'c1')).submitted.invocationId).toBe(later.invocationId);
  });

  it('goes to the call of its name where two have one id (B47)', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const later = await startRun(store.pool, key);
    const told = anEvent({
      content: { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'tell' } }] },
    });
    await store.batcher.append(aUnit(later, 1, { has: [told], finish: completed }));

    expect((await answer(store.pool, key, 'c1')).submitted.invocationId).toBe(asked.invocationId);
  });

  it('wins over an invocation that the request names (B47)', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');

    const { submitted } = await answer(store.pool, key, 'c1', { invocationId: `e-${randomUUID()}` });

    expect(submitted.invocationId).toBe(asked.invocationId);
  });

  it('is outside of the policy of a busy session, and makes no session', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    await startRun(store.pool, key);

    expect((await answer(store.pool, key, 'c1', { onBusy: 'reject' })).submitted.invocationId).toBe(
      asked.invocationId,
    );
    await expect(answer(store.pool, aKey(), 'c1')).rejects.toMatchObject({ code: 'session.not-found' });
  });

  it('sent twice under one key is one input', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');
    const idempotencyKey = randomUUID();

    const first = await answer(store.pool, key, 'c1', { idempotencyKey });
    const second = await answer(store.pool, key, 'c1', { idempotencyKey });

    expect(second.submitted).toEqual(first.submitted);
    expect(second.needsPointer).toBe(false);
  });

  it('tells of the epoch of the last claim, so that its pointer is no repeat', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');

    expect(await answer(store.pool, key, 'c1')).toMatchObject({ needsPointer: true, epoch: 1 });
  });
});

describe('an answer to nothing (B47)', () => {
  it('is refused, and the session stays usable (B47)', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');

    const refused = answer(store.pool, key, ['c1', 'unknown']);

    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      code: 'message.unmatched-response',
      message: expect.stringMatching(/^Function call not found for function response ids: unknown\./),
    });
    expect((await answer(store.pool, key, 'c1', { runnerId: 'runner-1' })).handover).toMatchObject({
      segment: 1,
    });
  });

  it('is refused under another name than that of its call, told by its id (B47)', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1', 'c2');
    const renamed = { functionResponse: { id: 'c2', name: 'tell', response: {} } };
    const newMessage = { role: 'user', parts: [...responses('c1').parts, renamed] };

    const refused = submit(store.pool, key, { newMessage });

    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      code: 'message.unmatched-response',
      message: expect.stringMatching(/^Function call not found for function response ids: c2\./),
    });
    expect((await answer(store.pool, key, ['c1', 'c2'])).submitted.segment).toBe(1);
  });

  it('is refused where only another session has the call (B47)', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');

    await expect(answer(store.pool, { ...key, userId: 'bob' }, 'c1')).rejects.toMatchObject({
      code: 'session.not-found',
    });
    const elsewhere = await startRun(store.pool, aKey());
    await expect(answer(store.pool, elsewhere, 'c1')).rejects.toMatchObject({
      code: 'message.unmatched-response',
    });
  });

  it('is refused when its calls are those of two invocations (B47)', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const later = await startRun(store.pool, key);
    await store.batcher.append(aUnit(later, 1, { has: [asking('c2')], finish: waiting }));

    const refused = answer(store.pool, key, ['c1', 'c2']);

    await expect(refused).rejects.toMatchObject({ kind: 'invalid', code: 'message.ambiguous-responses' });
    await expect(refused).rejects.toThrow(asked.invocationId);
    await expect(refused).rejects.toThrow(later.invocationId);
  });

  it('is refused when a rewind took the call back, and not when it took back others (B55)', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const later = await startRun(store.pool, key);
    await store.batcher.append(aUnit(later, 1, { has: [asking('c2')], finish: waiting }));
    const marker = anEvent({ author: 'user' });
    const rewindBeforeInvocationId = later.invocationId;
    const rewind = await startRun(store.pool, key);
    await store.batcher.append(
      aUnit(rewind, 1, {
        has: [{ ...marker, actions: { ...marker.actions, rewindBeforeInvocationId } }],
        finish: completed,
      }),
    );

    await expect(answer(store.pool, key, 'c2')).rejects.toMatchObject({
      code: 'message.unmatched-response',
    });
    expect((await answer(store.pool, key, 'c1')).submitted.invocationId).toBe(asked.invocationId);
  });

  it('begins an invocation when the call came with an imported session', async () => {
    const key = aKey();
    await createSession(store.pool, {
      ...key,
      events: [{ ...asking('c1'), invocationId: 'e-elsewhere' }],
    });

    const { handover } = await answer(store.pool, key, 'c1', { runnerId: 'runner-1' });

    expect(handover).toMatchObject({ segment: 0, input: { newMessage: responses('c1') }, baseSeq: 1 });
    expect(handover?.invocationId).not.toBe('e-elsewhere');
  });

  it('is found out without reading the rest of a long session', async () => {
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');
    await store.pool.query(
      `INSERT INTO adk_events (app_name, user_id, session_id, id, seq, author, content, "timestamp")
       SELECT $1, $2, $3, 'e' || n, 2 + n, 'agent', jsonb_build_object('parts', jsonb_build_array(
                CASE WHEN n % 3 = 0 THEN jsonb_build_object('functionCall', jsonb_build_object('id', 'x' || n))
                     ELSE jsonb_build_object('text', repeat('word ', 200)) END)), now()
         FROM generate_series(1, 10000) n`,
      [key.appName, key.userId, key.sessionId],
    );
    await store.pool.query('ANALYZE adk_events');
    const client = await store.pool.connect();
    await client.query('SET enable_seqscan = off');

    const { rows } = await client.query<Record<string, unknown>>(
      `EXPLAIN SELECT e.invocation_id FROM adk_events e
        WHERE e.app_name = 'app' AND e.user_id = 'user' AND e.session_id = '${key.sessionId}'
          AND e.content @? '$.parts[*].functionCall'
        ORDER BY e.seq DESC`,
    );
    client.release(true);

    expect(JSON.stringify(rows)).toContain('adk_events_calls');
    await expect(answer(store.pool, key, 'unknown')).rejects.toMatchObject({
      code: 'message.unmatched-response',
    });
    expect((await answer(store.pool, key, 'c1')).submitted.segment).toBe(1);
  });
});

describe('an invocation that is told to go on without a message (B54)', () => {
  it('does, as its next segment (B54)', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const resume = { newMessage: undefined, invocationId: asked.invocationId };

    const { handover } = await submit(store.pool, key, { ...resume, runnerId: 'runner-1' });

    expect(handover).toMatchObject({ invocationId: asked.invocationId, segment: 1, input: { ordinal: 1 } });
    expect(handover?.input.newMessage).toBeUndefined();
  });

  it('is not found when it is of another session or of none (B54)', async () => {
    const { asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const { key } = await aWaiting(store.pool, store.batcher, 'c1');

    for (const invocationId of [asked.invocationId, 'e-unknown']) {
      const refused = submit(store.pool, key, { newMessage: undefined, invocationId });
      await expect(refused).rejects.toMatchObject({ kind: 'not_found', code: 'invocation.not-found' });
    }
  });

  it('is not found once it was taken back (B54, B55)', async () => {
    const { key, asked } = await aWaiting(store.pool, store.batcher, 'c1');
    const { invocationId } = asked;
    await rewindSession(store.pool, {
      ...key,
      rewindBeforeInvocationId: invocationId,
      eventId: randomUUID(),
    });

    const refused = submit(store.pool, key, { newMessage: undefined, invocationId });

    await expect(refused).rejects.toMatchObject({ kind: 'not_found', code: 'invocation.not-found' });
  });

  it('is refused while it is queued or runs (B54)', async () => {
    const key = aKey();
    const runs = await startRun(store.pool, key);
    const queued = await submit(store.pool, key);

    for (const invocationId of [runs.invocationId, queued.submitted.invocationId]) {
      const refused = submit(store.pool, key, { newMessage: undefined, invocationId });
      await expect(refused).rejects.toMatchObject({ kind: 'conflict', code: 'invocation.busy' });
    }
  });
});

describe('an invocation of an app that is not resumable, told to go on (B54)', () => {
  const error = { code: 'run.not-resumable', message: 'No.' };
  const refused = { status: 'failed', error, isRefusal: true } as const;

  it.each([
    ['waiting', undefined],
    ['completed', undefined],
    ['failed', { code: 'tool.broke', message: 'It broke.' }],
  ] as const)('is as %s as it was, and its segment tells of the refusal (B54)', async (status, before) => {
    const key = aKey();
    const asked = await startRun(store.pool, key);
    await store.batcher.append(aUnit(asked, 1, { has: [asking('c1')], finish: { status, error: before } }));

    // Twice: the second is as the first was not there.
    for (const segment of [1, 2]) {
      const { invocationId } = asked;
      const resume = { newMessage: undefined, invocationId, runnerId: 'runner-1' };
      const { handover } = await submit(store.pool, key, resume);
      if (!handover) throw new Error('nothing was claimed');
      await store.batcher.append(aUnit(handover, 1, { finish: refused }));

      expect(await statusOf(key, invocationId)).toMatchObject({ status, error: before, lastSeq: 1 });
      expect(await readInvocation(store.pool, { ...key, invocationId, segment })).toMatchObject({
        status: 'failed',
        error,
        lastSeq: 1,
      });
    }
    expect((await answer(store.pool, key, 'c1')).submitted).toMatchObject({ segment: 3 });
  });
});

async function statusOf(key: SessionKey, invocationId: string) {
  return readInvocation(store.pool, { ...key, invocationId });
}
