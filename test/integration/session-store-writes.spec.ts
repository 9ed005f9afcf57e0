import { randomUUID } from 'node:crypto';
import { type Event, type SessionKey, type WriteEvent } from '@skein/contracts';
import {
  createSession,
  deleteArtifact,
  findArtifact,
  listArtifactVersions,
  readEventPage,
  readSession,
  recordArtifact,
  rewindSession,
  writeEvent,
} from '@skein/session-store';
import { aKey, anEvent, anEventWithDelta, aUnit, startRun, submit, useStore } from './session-store-harness';

const store = useStore();

const write = (key: SessionKey, stateDelta: Record<string, unknown>, more: Partial<WriteEvent> = {}) =>
  writeEvent(store.pool, { ...key, event: anEventWithDelta(stateDelta), ...more });
const stateOf = async (key: SessionKey) => (await readSession(store.pool, key))?.state;
const seqsOf = async (key: SessionKey) =>
  (await readEventPage(store.pool, { ...key, afterSeq: 0 })).events.map(({ seq }) => seq);

async function aSession(given: { state?: Record<string, unknown>; events?: Event[] } = {}) {
  const key = aKey({ userId: randomUUID() });
  await createSession(store.pool, { ...key, ...given });
  return key;
}

describe('writing to a session from outside its run', () => {
  it('loses nothing of 20 writers with different keys at once, and numbers them densely', async () => {
    const key = await aSession();
    const numbers = Array.from({ length: 20 }, (_, n) => n);

    await Promise.all(numbers.map((n) => write(key, { [`k${n}`]: n })));

    expect(await stateOf(key)).toEqual(Object.fromEntries(numbers.map((n) => [`k${n}`, n])));
    expect(await seqsOf(key)).toEqual(numbers.map((n) => n + 1));
  });

  it('loses nothing that 10 sessions write to app: and user: at once, by runs and by others', async () => {
    const owner = { appName: `app-${randomUUID()}`, userId: 'ada' };
    const keys = Array.from({ length: 10 }, () => aKey(owner));
    const runs = await Promise.all(keys.map((key) => startRun(store.pool, key)));
    const rounds = [1, 2, 3, 4, 5];

    await Promise.all(
      runs.flatMap((run, n) =>
        rounds.flatMap((round) => [
          write(run, { [`app:patch-${n}-${round}`]: 1, [`user:patch-${n}-${round}`]: 1 }),
          store.batcher.append(
            aUnit(run, round, {
              has: [anEventWithDelta({ [`app:run-${n}-${round}`]: 1, [`user:run-${n}-${round}`]: 1 })],
            }),
          ),
        ]),
      ),
    );

    const names = keys.flatMap((_, n) => rounds.flatMap((r) => [`patch-${n}-${r}`, `run-${n}-${r}`]));
    const expected = names.flatMap((name) => [`app:${name}`, `user:${name}`]);
    for (const key of keys) {
      expect(Object.keys((await stateOf(key)) ?? {}).sort()).toEqual([...expected].sort());
      expect(await seqsOf(key)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  });

  it('leaves the run of the session its fence: it appends on, above what was written', async () => {
    const run = await startRun(store.pool, aKey());
    await store.batcher.append(aUnit(run, 1, { has: [anEventWithDelta({ a: 'run', b: 'run' })] }));

    const { head, running } = await write(run, { a: 'patch' });
    const { lastSeq } = await store.batcher.append(
      aUnit(run, 2, { has: [anEventWithDelta({ b: 'run again' })] }),
    );

    expect([head.lastSeq, lastSeq]).toEqual([2, 3]);
    expect(running).toEqual({ invocationId: run.invocationId, runnerId: 'runner-1', epoch: run.epoch });
    expect(await stateOf(run)).toEqual({ a: 'patch', b: 'run again' });
  });

  it('routes state by prefix and stores no temp: key (B57)', async () => {
    const key = await aSession({ state: { kept: 1 } });

    await write(key, { a: 1, 'user:b': 2, 'temp:c': 3 });

    expect(await stateOf(key)).toEqual({ kept: 1, a: 1, 'user:b': 2 });
    const session = await readSession(store.pool, key);
    expect(session?.events[0]?.actions.stateDelta).toEqual({ a: 1, 'user:b': 2 });
  });

  it('changes nothing when the same event is written again', async () => {
    const key = await aSession();
    const event = anEventWithDelta({ n: 1 });
    await write(key, {}, { event });
    await write(key, { n: 2 });

    const again = await write(key, {}, { event, expectedSeq: 0 });

    expect(again.head.lastSeq).toBe(2);
    expect(await stateOf(key)).toEqual({ n: 2 });
  });

  it('refuses a writer that has not seen the head, tells it where that is, and stores nothing', async () => {
    const key = await aSession({ events: [anEvent()] });

    await write(key, { a: 1 }, { expectedSeq: 1 });
    await expect(write(key, { a: 2 }, { expectedSeq: 1 })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'session.stale',
      details: { lastSeq: 2 },
    });

    expect(await stateOf(key)).toEqual({ a: 1 });
    expect(await seqsOf(key)).toEqual([1, 2]);
  });

  it('lets one of many writers win that saw the same head', async () => {
    const key = await aSession();

    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => write(key, { n }, { expectedSeq: 0 })),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await seqsOf(key)).toEqual([1]);
  });

  it('refuses a session that is not there, and stores nothing of what the database refuses', async () => {
    const key = await aSession();

    await expect(write(aKey(), {})).rejects.toMatchObject({ code: 'session.not-found' });
    await expect(write(key, { ok: 1, bad: 'a\0b' })).rejects.toMatchObject({ kind: 'invalid' });

    expect([await stateOf(key), await seqsOf(key)]).toEqual([{}, []]);
  });
});

describe('rewinding a stored session (B55)', () => {
  const said = (invocationId: string, stateDelta = {}, artifactDelta = {}): Event => {
    const event = anEventWithDelta(stateDelta);
    return { ...event, invocationId, actions: { ...event.actions, artifactDelta } };
  };
  const rewind = (key: SessionKey, rewindBeforeInvocationId: string, eventId = randomUUID()) =>
    rewindSession(store.pool, { ...key, rewindBeforeInvocationId, eventId });

  it('restores state, initial values too, and keeps every event (B55)', async () => {
    const key = await aSession({
      state: { initial: 1, 'user:u': 0 },
      events: [said('e-1', { a: 1 }), said('e-2', { a: 2, initial: 2, fresh: 1, 'user:u': 1 }), said('e-3')],
    });

    const head = await rewind(key, 'e-2');

    const session = await readSession(store.pool, key);
    expect(head.lastSeq).toBe(4);
    expect(session?.state).toEqual({ initial: 1, a: 1, fresh: null, 'user:u': 1 });
    expect(session?.events).toHaveLength(4);
    expect(session?.events[3]).toMatchObject({
      author: 'user',
      actions: {
        rewindBeforeInvocationId: 'e-2',
        stateDelta: { initial: 1, a: 1, fresh: null },
        artifactDelta: {},
      },
    });
  });

  it('records an object once: a repeat gets the version it has', async () => {
    const key = await aSession();
    const record = (objectKey: string) =>
      recordArtifact(store.pool, {
        ...key,
        filename: 'a',
        objectKey,
        mimeType: 'text/plain',
        sizeBytes: 1,
        sha256: 'x',
      });

    const versions = [await record('one'), await record('two'), await record('one')];

    expect(versions.map(({ version, objectKey }) => [version, objectKey])).toEqual([
      [0, 'one'],
      [1, 'two'],
      [0, 'one'],
    ]);
  });

  it('gives artifacts their old content as new versions, without copying it, and empties later ones (B55)', async () => {
    const key = await aSession();
    const save = (filename: string, objectKey: string) =>
      recordArtifact(store.pool, {
        ...key,
        filename,
        objectKey,
        mimeType: 'text/plain',
        sizeBytes: 3,
        sha256: 'x',
        customMetadata: { objectKey },
      });
    for (const [filename, object] of [
      ['changed', 'old'],
      ['changed', 'new'],
      ['fresh', 'fresh'],
    ] as const) {
      await save(filename, object);
    }
    await save('user:mine', 'mine');
    await write(key, {}, { event: said('e-1', {}, { changed: 0 }) });
    await write(key, {}, { event: said('e-2', {}, { changed: 1, fresh: 0, 'user:mine': 0 }) });

    await rewind(key, 'e-2');

    const session = await readSession(store.pool, key);
    expect(session?.events.at(-1)?.actions.artifactDelta).toEqual({ changed: 2, fresh: 1 });
    const find = (filename: string) => findArtifact(store.pool, { ...key, filename });
    expect(await find('changed')).toMatchObject({
      version: 2,
      objectKey: 'old',
      sizeBytes: 3,
      customMetadata: { objectKey: 'old' },
    });
    expect(await find('fresh')).toMatchObject({ version: 1, objectKey: '', sizeBytes: 0 });
    expect(await listArtifactVersions(store.pool, { ...key, filename: 'user:mine' })).toEqual([0]);
    const freed = await deleteArtifact(store.pool, { ...key, filename: 'changed' });
    expect(freed.sort()).toEqual(['new', 'old']);
    expect(await deleteArtifact(store.pool, { ...key, filename: 'fresh' })).toEqual(['fresh']);
  });

  it('is refused while an invocation is running or queued, and stores nothing', async () => {
    const run = await startRun(store.pool, aKey());
    await store.batcher.append(aUnit(run, 1, { has: [anEventWithDelta({ a: 1 })] }));
    const busy = { kind: 'conflict', code: 'session.busy' };

    await expect(rewind(run, run.invocationId)).rejects.toMatchObject(busy);
    const idle = await aSession({ events: [said('e-1')] });
    await submit(store.pool, idle);
    await expect(rewind(idle, 'e-1')).rejects.toMatchObject(busy);

    expect([await seqsOf(run), await seqsOf(idle)]).toEqual([[1], [1]]);
  });

  it('cancels what waits and is taken back, and leaves what waited before it', async () => {
    const key = aKey();
    const statuses = async () => {
      const { rows } = await store.pool.query<{ status: string }>(
        'SELECT status FROM adk_invocations WHERE session_id = $1 ORDER BY queue_no',
        [key.sessionId],
      );
      return rows.map(({ status }) => status);
    };
    const waits = async (): Promise<string> => {
      const run = await startRun(store.pool, key);
      await store.batcher.append(aUnit(run, 1, { has: [anEvent()], finish: { status: 'waiting' } }));
      return run.invocationId;
    };
    await waits();
    const second = await waits();
    await waits();
    expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting']);

    await rewind(key, second);

    expect(await statuses()).toEqual(['waiting', 'cancelled', 'cancelled']);
  });

  it('raises the epoch, so that a run somebody still believes in stores nothing', async () => {
    const key = aKey();
    const run = await startRun(store.pool, key);
    await store.batcher.append(aUnit(run, 1, { has: [anEvent()], finish: { status: 'completed' } }));

    await rewind(key, run.invocationId);

    await expect(store.batcher.append(aUnit(run, 2, { has: [anEvent()] }))).rejects.toMatchObject({
      code: 'append.fenced',
    });
    const next = await startRun(store.pool, key);
    expect(next.epoch).toBe(run.epoch + 2);
    const { lastSeq } = await store.batcher.append(aUnit(next, 1, { has: [anEvent()] }));
    expect(lastSeq).toBe(3);
  });

  it('is the same when it is asked for again, and refuses an invocation it does not know', async () => {
    const key = await aSession({ events: [said('e-1', { a: 1 })] });
    const eventId = randomUUID();

    const [first, again] = [await rewind(key, 'e-1', eventId), await rewind(key, 'e-1', eventId)];

    expect(again.lastSeq).toBe(first.lastSeq);
    await expect(rewind(key, 'e-9')).rejects.toMatchObject({
      kind: 'not_found',
      code: 'invocation.not-found',
    });
    await expect(rewind(aKey(), 'e-1')).rejects.toMatchObject({ code: 'session.not-found' });
    expect(await seqsOf(key)).toEqual([1, 2]);
  });

  it('restores over an earlier rewind', async () => {
    const key = await aSession({ state: { a: 0 }, events: [said('e-1', { a: 1 }), said('e-2', { a: 2 })] });
    await rewind(key, 'e-2');
    await write(key, {}, { event: said('e-3', { a: 3 }) });

    await rewind(key, 'e-3');
    expect(await stateOf(key)).toEqual({ a: 1 });
    await rewind(key, 'e-1');
    expect(await stateOf(key)).toEqual({ a: 0 });
  });
});
