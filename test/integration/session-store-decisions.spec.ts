import { type Event, type SessionKey } from '@skein/contracts';
import { rewindSession } from '@skein/session-store';
import { answer, completed, startSegment, waiting } from './segments-harness';
import { aKey, anEvent, aUnit, startRun, submit, useStore } from './session-store-harness';

const store = useStore();

const decided = { kind: 'conflict', code: 'message.already-answered' };

function question(name: string, ...ids: string[]): Event {
  const parts = ids.map((id) => ({ functionCall: { id, name, args: {} } }));
  return anEvent({ content: { role: 'model', parts }, longRunningToolIds: ids });
}

function decision(name: string, ...ids: string[]) {
  const parts = ids.map((id) => ({ functionResponse: { id, name, response: { confirmed: true } } }));
  return { role: 'user', parts };
}

async function anAsking(name: string, ...ids: string[]): Promise<SessionKey> {
  const key = aKey();
  const run = await startRun(store.pool, key);
  const has = [anEvent({ author: 'user' }), question(name, ...ids)];
  await store.batcher.append(aUnit(run, 1, { has, finish: waiting }));
  return key;
}

function decide(key: SessionKey, name: string, ids: string[], more: { readonly runnerId?: string } = {}) {
  return submit(store.pool, key, { newMessage: decision(name, ...ids), ...more });
}

/** Decides and stores the answer, as a runner does that takes it up; the run rests then. */
async function decideAndRun(key: SessionKey, name: string, id: string, has: readonly Event[] = []) {
  const { handover } = await decide(key, name, [id], { runnerId: 'runner-1' });
  if (!handover) throw new Error('nothing was claimed');
  const answered = anEvent({ author: 'user', content: decision(name, id) });
  await store.batcher.append(aUnit(handover, 1, { has: [answered, ...has], finish: completed }));
  return handover;
}

describe.each(['adk_request_confirmation', 'adk_request_credential'])('an answer to %s', (name) => {
  it('row 43: comes twice while the first one waits for its turn: 409, the first wins', async () => {
    const key = await anAsking(name, 'q1');
    const first = await decide(key, name, ['q1']);

    await expect(decide(key, name, ['q1'])).rejects.toMatchObject(decided);

    expect(first.submitted.segment).toBe(1);
  });

  it('row 43: comes twice while the first one runs', async () => {
    const key = await anAsking(name, 'q1');
    await decide(key, name, ['q1'], { runnerId: 'runner-1' });

    await expect(decide(key, name, ['q1'])).rejects.toMatchObject(decided);
  });

  it('row 43: comes again when all is over, 30 days later', async () => {
    const key = await anAsking(name, 'q1');
    await decideAndRun(key, name, 'q1');
    await store.pool.query(
      `UPDATE adk_invocations SET stopped_at = stopped_at - interval '30 days' WHERE session_id = $1`,
      [key.sessionId],
    );

    await expect(decide(key, name, ['q1'])).rejects.toMatchObject(decided);

    const { rows } = await store.pool.query('SELECT id FROM adk_invocations WHERE session_id = $1', [
      key.sessionId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('row 43: is for arguments that another question has replaced', async () => {
    const key = await anAsking(name, 'q1');
    await decideAndRun(key, name, 'q1', [question(name, 'q2')]);

    await expect(decide(key, name, ['q1'])).rejects.toMatchObject(decided);
    await expect(decide(key, name, ['q1', 'q2'])).rejects.toMatchObject(decided);

    expect((await decide(key, name, ['q2'])).submitted.segment).toBe(2);
  });

  it('comes of two questions one at a time', async () => {
    const key = await anAsking(name, 'q1', 'q2');
    await decideAndRun(key, name, 'q1');

    expect((await decide(key, name, ['q2'])).submitted.segment).toBe(2);
  });

  it('may be given anew when it was taken back (B55)', async () => {
    const key = await anAsking(name, 'q1');
    const later = await startRun(store.pool, key);
    await store.batcher.append(aUnit(later, 1, { has: [anEvent({ author: 'user' })], finish: completed }));
    await decideAndRun(key, name, 'q1');
    await rewindSession(store.pool, {
      ...key,
      rewindBeforeInvocationId: later.invocationId,
      eventId: `rewind-${key.sessionId}`,
    });

    // The rewind cancelled nothing, because the run had its answer by then.
    expect((await decide(key, name, ['q1'])).submitted.segment).toBe(2);
  });
});

it('a long-running call may be answered several times: what comes first may be news of it', async () => {
  const key = aKey();
  const run = await startRun(store.pool, key);
  await store.batcher.append(aUnit(run, 1, { has: [question('ask', 'c1')], finish: waiting }));
  const segment = await startSegment(store.pool, key, 'c1');
  const said = anEvent({ author: 'user', content: decision('ask', 'c1') });
  await store.batcher.append(aUnit(segment, 1, { has: [said], finish: completed }));

  expect((await answer(store.pool, key, 'c1')).submitted.segment).toBe(2);
});
