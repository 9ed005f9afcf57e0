import { randomUUID } from 'node:crypto';
import {
  createSession,
  openStore,
  readSession,
  rewindSession,
  type Store,
  writeEvent,
} from '@skein/session-store';
import { TcpProxy } from '@skein/testing';
import {
  aKey,
  anEventWithDelta,
  startTestDatabase,
  submit,
  type TestDatabase,
} from './session-store-harness';

let database: TestDatabase;
let proxy: TcpProxy;
let store: Store;

beforeAll(async () => {
  database = await startTestDatabase();
  proxy = await TcpProxy.before(database.url);
  store = await openStore({ databaseUrl: proxy.through(database.url), poolSize: 2 });
}, 60_000);
afterAll(async () => {
  await store.close();
  await proxy.close();
  await database.stop();
});

/** Cuts the connection once, at the answer to the next request that says `word`: by then it is carried out. */
function cutAnswerTo(word: string): { readonly wasCut: () => boolean } {
  let state: 'waiting' | 'asked' | 'cut' = 'waiting';
  proxy.tap((chunk, from) => {
    if (state === 'waiting' && from === 'client' && chunk.includes(word)) state = 'asked';
    if (state !== 'asked' || from !== 'server') return 'pass';
    state = 'cut';
    return 'cut';
  });
  return { wasCut: () => state === 'cut' };
}

describe('row 24: an answer of the database that is lost', () => {
  it.each([
    ['a request of its own', () => ({ requestId: randomUUID() })],
    ['a key', () => ({ idempotencyKey: randomUUID() })],
  ])('to a submit with %s: it is one turn, and its claim is known', async (_name, aName) => {
    const key = aKey();
    await createSession(store.pool, key);
    const cut = cutAnswerTo('submit-input');
    const name = aName();

    const first = await submit(store.pool, key, { ...name, runnerId: 'runner-1' });
    const again = await submit(store.pool, key, { ...name, runnerId: 'runner-2' });

    expect(cut.wasCut()).toBe(true);
    expect(first.handover).toMatchObject({ invocationId: first.submitted.invocationId, epoch: 1 });
    expect(again).toMatchObject({ submitted: first.submitted, handover: undefined, needsPointer: false });
    expect(await countOf('adk_inputs', key)).toBe(1);
  });

  it('to a submit that no runner had room for: somebody is told of it', async () => {
    const key = aKey();
    await createSession(store.pool, key);
    const cut = cutAnswerTo('submit-input');

    const outcome = await submit(store.pool, key, { requestId: randomUUID() });

    expect(cut.wasCut()).toBe(true);
    expect(outcome).toMatchObject({ handover: undefined, needsPointer: true, epoch: 0 });
  });

  it('to a submit that has no name: nobody knows, and it is not tried again', async () => {
    const key = aKey();
    await createSession(store.pool, key);
    cutAnswerTo('submit-input');

    await expect(submit(store.pool, key)).rejects.toMatchObject({ code: 'store.unavailable' });
  });

  it('to a create: the session is there, once, and is answered', async () => {
    const key = aKey();
    const uid = randomUUID();
    const cut = cutAnswerTo('COMMIT');

    const session = await createSession(store.pool, { ...key, uid, state: { 'user:visits': 1 } });

    expect(cut.wasCut()).toBe(true);
    expect(session).toMatchObject({ id: key.sessionId, state: { 'user:visits': 1 } });
    await expect(createSession(store.pool, { ...key, uid })).resolves.toMatchObject({ id: key.sessionId });
    await expect(createSession(store.pool, key)).rejects.toMatchObject({ code: 'session.exists' });
  });

  it('to a change of state: it is one event', async () => {
    const key = aKey();
    await createSession(store.pool, key);
    const cut = cutAnswerTo('COMMIT');

    const { head } = await writeEvent(store.pool, {
      ...key,
      event: anEventWithDelta({ mood: 'good' }),
      expectedSeq: 0,
    });

    expect(cut.wasCut()).toBe(true);
    expect(head.lastSeq).toBe(1);
    expect(await readSession(store.pool, key)).toMatchObject({ state: { mood: 'good' } });
  });

  it('to a rewind: it is one event', async () => {
    const key = aKey();
    await createSession(store.pool, key);
    const event = anEventWithDelta({ mood: 'bad' });
    await writeEvent(store.pool, { ...key, event });
    const cut = cutAnswerTo('COMMIT');

    const { lastSeq } = await rewindSession(store.pool, {
      ...key,
      rewindBeforeInvocationId: event.invocationId,
      eventId: randomUUID(),
    });

    expect(cut.wasCut()).toBe(true);
    expect(lastSeq).toBe(2);
    expect(await countOf('adk_events', key)).toBe(2);
  });
});

async function countOf(table: 'adk_inputs' | 'adk_events', { sessionId }: { sessionId: string }) {
  const of = table === 'adk_events' ? table : 'adk_inputs JOIN adk_invocations i ON i.id = invocation_id';
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${of} WHERE session_id = $1`,
    [sessionId],
  );
  return rows[0]?.n;
}
