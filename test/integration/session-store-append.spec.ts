import { randomUUID } from 'node:crypto';
import { type AppendUnit, type SessionKey } from '@skein/contracts';
import {
  AppendBatcher,
  readEventPage,
  readSession,
  type StoredChain,
  type StoredUnit,
} from '@skein/session-store';
import {
  aCall,
  aKey,
  anEvent,
  anEventWithDelta,
  aUnit,
  eventually,
  LEASE_MS,
  SECRET,
  startRun,
  startTestDatabase,
  submit,
  type TestDatabase,
} from './session-store-harness';

let database: TestDatabase;
let batcher: AppendBatcher;
let stored: StoredChain[];
let batches: number[];
let replayed: StoredUnit['nextClaim'][];

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(() => {
  stored = [];
  batches = [];
  replayed = [];
  batcher = aBatcher();
});

function aBatcher(options: { predecessorWaitMs?: number; connections?: number } = {}): AppendBatcher {
  return new AppendBatcher(database.pool, {
    secret: SECRET,
    leaseMs: LEASE_MS,
    prepare: (chain) => () => stored.push(chain),
    onBatch: ({ units }) => batches.push(units),
    onReplayed: (_, { nextClaim }) => replayed.push(nextClaim),
    ...options,
  });
}

async function seqsOf(key: SessionKey): Promise<number[]> {
  const { events } = await readEventPage(database.pool, { ...key, afterSeq: 0 });
  return events.map(({ seq }) => seq);
}

it('answers a unit that is stored, whatever those who are told of it throw', async () => {
  const failures: unknown[] = [];
  const fail = (): never => {
    throw new Error('an observer that fails');
  };
  const observed = new AppendBatcher(database.pool, {
    secret: SECRET,
    leaseMs: LEASE_MS,
    prepare: () => fail,
    onReplayed: fail,
    onFenced: fail,
    onBatch: fail,
    onObserverFailed: (error) => failures.push(error),
  });
  const run = await startRun(database.pool, aKey());
  const unit = aUnit(run, 1, { has: [anEvent()] });

  const first = await observed.append(unit);
  const again = await observed.append(unit);
  const fenced = observed.append(aUnit({ ...run, epoch: run.epoch + 1 }, 2, { has: [anEvent()] }));
  await expect(fenced).rejects.toMatchObject({ code: 'append.fenced' });
  await observed.idle();

  expect([first.lastSeq, again.lastSeq]).toEqual([1, 1]);
  expect(await seqsOf(run)).toEqual([1]);
  expect(failures).toHaveLength(6);
});

describe('append', () => {
  it('numbers events densely for 50 sessions at once, several units of each in one batch (B58)', async () => {
    const runs = await Promise.all(Array.from({ length: 50 }, () => startRun(database.pool, aKey())));

    const answers = await Promise.all(
      runs.map((run) =>
        Promise.all(
          [1, 2, 3, 4].map((no) => batcher.append(aUnit(run, no, { has: [anEvent(), anEvent()] }))),
        ),
      ),
    );

    for (const [index, run] of runs.entries()) {
      expect(answers[index]?.map(({ lastSeq }) => lastSeq)).toEqual([2, 4, 6, 8]);
      expect(await seqsOf(run)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }
    expect(stored.some(({ units }) => units.length > 1)).toBe(true);
    expect(batches.length).toBeLessThan(20);
  });

  it('answers the retry of a stored unit as the first time and stores nothing twice', async () => {
    const run = await startRun(database.pool, aKey());
    const call = aCall();
    const first = aUnit(run, 1, { has: [anEvent(), anEvent()], calls: [call] });
    const answer = await batcher.append(first);
    await batcher.append(aUnit(run, 2, { has: [anEvent()] }));

    const again = await batcher.append(structuredClone(first));

    expect(again).toEqual(answer);
    expect(again.tickets).toHaveLength(1);
    expect(await seqsOf(run)).toEqual([1, 2, 3]);
  });

  it('answers a retried finish when the session has gone on to its next invocation', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    const next = await submit(database.pool, key, { runnerId: 'runner-1' });
    const last = aUnit(run, 1, { has: [anEvent()], finish: { status: 'completed' } });

    const answer = await batcher.append(last);
    const again = await batcher.append(structuredClone(last));

    expect(again).toEqual(answer);
    expect(stored).toMatchObject([
      { nextClaim: { invocationId: next.submitted.invocationId, runnerId: 'runner-1', epoch: 2 } },
    ]);
    expect(replayed).toEqual(stored.map(({ nextClaim }) => nextClaim));
  });

  it('refuses a stale epoch and stores nothing of it (B58)', async () => {
    const run = await startRun(database.pool, aKey());
    await database.pool.query('UPDATE adk_sessions SET owner_epoch = owner_epoch + 1 WHERE id = $1', [
      run.sessionId,
    ]);

    const late = batcher.append(aUnit(run, 1, { has: [anEventWithDelta({ 'user:x': 1 })] }));

    await expect(late).rejects.toMatchObject({ code: 'append.fenced', kind: 'conflict' });
    expect(await seqsOf(run)).toEqual([]);
    expect((await readSession(database.pool, run))?.state).not.toHaveProperty('user:x');
  });

  it('refuses a runner that does not own the invocation, also under the right epoch', async () => {
    const run = await startRun(database.pool, aKey());
    const mine = aUnit(run, 1, { has: [anEvent()] });
    await batcher.append(mine);

    const next = batcher.append(aUnit(run, 2, { runnerId: 'runner-2', has: [anEvent()] }));
    await expect(next).rejects.toMatchObject({ code: 'append.fenced' });
    const repeat = batcher.append({ ...mine, runnerId: 'runner-2' });
    await expect(repeat).rejects.toMatchObject({ code: 'append.fenced' });

    expect(await seqsOf(run)).toEqual([1]);
  });

  it('takes no unit without events for stored only because its number may be', async () => {
    const run = await startRun(database.pool, aKey());
    await batcher.append(aUnit(run, 1, { has: [anEvent()] }));

    const otherFirst = batcher.append(aUnit(run, 1, { calls: [aCall()] }));
    await expect(otherFirst).rejects.toMatchObject({ code: 'append.fenced' });
    const lateFinish = batcher.append(aUnit(run, 1, { finish: { status: 'completed' } }));
    await expect(lateFinish).rejects.toMatchObject({ code: 'append.fenced' });
    await batcher.append(aUnit(run, 2, { finish: { status: 'completed' } }));
    const afterTheEnd = batcher.append(aUnit(run, 3, { calls: [aCall()] }));
    await expect(afterTheEnd).rejects.toMatchObject({ code: 'append.fenced' });
    const emptyAfterTheEnd = batcher.append(aUnit(run, 4));
    await expect(emptyAfterTheEnd).rejects.toMatchObject({ code: 'append.fenced' });
  });

  it('fences the owner of a session that was deleted and made again with the same epoch', async () => {
    const key = aKey();
    const zombie = await startRun(database.pool, key);
    await database.pool.query('DELETE FROM adk_sessions WHERE id = $1', [key.sessionId]);
    const fresh = await startRun(database.pool, key);
    expect(fresh.epoch).toBe(zombie.epoch);

    const late = batcher.append(aUnit(zombie, 1, { has: [anEvent()] }));

    await expect(late).rejects.toMatchObject({ code: 'append.fenced' });
    expect(await seqsOf(key)).toEqual([]);
  });

  it('awaits the unit before it, also when that goes through another process', async () => {
    const other = aBatcher();
    const run = await startRun(database.pool, aKey());
    const [one, two, three] = [1, 2, 3].map((no) => aUnit(run, no, { has: [anEvent()] })) as [
      AppendUnit,
      AppendUnit,
      AppendUnit,
    ];

    const early = Promise.all([batcher.append(three), batcher.append(two)]);
    await eventually('a second try', () => (batches.length > 1 ? true : undefined));
    await other.append(one);

    expect((await early).map(({ lastSeq }) => lastSeq)).toEqual([3, 2]);
    const page = await readEventPage(database.pool, { ...run, afterSeq: 0 });
    expect(page.events.map(({ event }) => event.id)).toEqual(
      [one, two, three].map((unit) => unit.events[0]?.event.id),
    );
  });

  it('gives up on a unit whose predecessor never comes', async () => {
    const run = await startRun(database.pool, aKey());

    const orphan = aBatcher({ predecessorWaitMs: 50 }).append(aUnit(run, 2, { has: [anEvent()] }));

    await expect(orphan).rejects.toMatchObject({ code: 'append.predecessor-missing', kind: 'unavailable' });
  });

  it('fails a poisoned unit alone, with later ones of its session; its neighbours are stored', async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => startRun(database.pool, aKey())));
    const poisoned = await startRun(database.pool, aKey());
    batcher = aBatcher({ connections: 1 });
    const poison = anEvent({ content: { role: 'model', parts: [{ text: 'a\u0000b' }] } });

    const before = batcher.append(aUnit(poisoned, 1, { has: [anEvent()] }));
    const bad = batcher.append(aUnit(poisoned, 2, { has: [poison] }));
    const after = batcher.append(aUnit(poisoned, 3, { has: [anEvent()] }));
    const neighbours = runs.map((run) => batcher.append(aUnit(run, 1, { has: [anEvent()] })));
    const outcomes = await Promise.allSettled([before, bad, after, ...neighbours]);

    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      ...neighbours.map(() => 'fulfilled'),
    ]);
    await expect(bad).rejects.toMatchObject({ kind: 'invalid' });
    expect(await seqsOf(poisoned)).toEqual([1]);
    await batcher.append(aUnit(poisoned, 2, { has: [anEvent()] }));
    expect(await seqsOf(poisoned)).toEqual([1, 2]);
  });

  it('refuses partial events (B19)', async () => {
    const run = await startRun(database.pool, aKey());

    const partial = batcher.append(aUnit(run, 1, { has: [anEvent({ partial: true })] }));

    await expect(partial).rejects.toMatchObject({ code: 'append.partial-event' });
  });

  it('routes state by prefix, shares it by scope and never stores temp: (B56, B57)', async () => {
    const app = `app${randomUUID()}`;
    const mine = aKey({ appName: app, userId: 'ann' });
    const run = await startRun(database.pool, mine);
    await startRun(database.pool, aKey({ ...mine, sessionId: 'hers too' }));
    await startRun(database.pool, aKey({ ...mine, userId: 'bob' }));

    await batcher.append(
      aUnit(run, 1, {
        has: [anEventWithDelta({ plain: 1, 'user:name': 'Ann', 'app:motd': 'hi', 'temp:scratch': 'x' })],
      }),
    );
    await batcher.append(aUnit(run, 2, { has: [anEventWithDelta({ other: 2, 'app:motd': 'ho' })] }));

    const states = await Promise.all(
      [mine, { ...mine, sessionId: 'hers too' }, { ...mine, userId: 'bob' }].map((key) =>
        readSession(database.pool, key),
      ),
    );
    expect(states.map((session) => session?.state)).toEqual([
      { plain: 1, other: 2, 'user:name': 'Ann', 'app:motd': 'ho' },
      { 'user:name': 'Ann', 'app:motd': 'ho' },
      { 'app:motd': 'ho' },
    ]);
    const dump = await database.pool.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM adk_events WHERE actions::text LIKE '%temp:%') AS found`,
    );
    expect(dump.rows[0]?.found).toBe(false);
  });

  it('does not deadlock when 40 units set user: and app: keys in crossing orders (B58)', async () => {
    const scopes = Array.from({ length: 4 }, (_, app) =>
      [0, 1, 2, 3].map((user) => ({ app: `cross${app}`, user: `u${user}` })),
    ).flat();
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const scope = scopes[(index * 7) % scopes.length] ?? { app: 'cross', user: 'u' };
        return startRun(database.pool, aKey({ appName: scope.app, userId: scope.user }));
      }),
    );
    const batchers = [aBatcher(), aBatcher(), aBatcher(), aBatcher()] as const;
    const before = await deadlocks();

    for (let no = 1; no <= 10; no++) {
      const shuffled = [...runs].sort(() => Math.random() - 0.5);
      await Promise.all(
        shuffled.map((run, index) =>
          batchers[(index % 4) as 0 | 1 | 2 | 3].append(
            aUnit(run, no, { has: [anEventWithDelta({ [`user:k${index}`]: no, [`app:k${index}`]: no })] }),
          ),
        ),
      );
    }

    expect(await deadlocks()).toBe(before);
  });

  it('keeps two users with the same session id apart', async () => {
    const [ann, bob] = [aKey({ userId: 'ann', sessionId: 's' }), aKey({ userId: 'bob', sessionId: 's' })];
    const [hers, his] = [await startRun(database.pool, ann), await startRun(database.pool, bob)];

    await Promise.all([
      batcher.append(aUnit(hers, 1, { has: [anEventWithDelta({ who: 'ann' })] })),
      batcher.append(aUnit(his, 1, { has: [anEventWithDelta({ who: 'bob' }), anEvent()] })),
    ]);

    expect((await readSession(database.pool, ann))?.state).toMatchObject({ who: 'ann' });
    expect((await readSession(database.pool, bob))?.state).toMatchObject({ who: 'bob' });
    expect([await seqsOf(ann), await seqsOf(bob)]).toEqual([[1], [1, 2]]);
  });

  it.each([`a.b`, `'"; DROP TABLE adk_events; --`, 'ünïcödé 日本', '👩‍👩‍👧 $1 \\', '>', '*'])(
    'takes %j as user and session id',
    async (id) => {
      const key = aKey({ userId: id, sessionId: id });
      const run = await startRun(database.pool, key);

      await batcher.append(aUnit(run, 1, { has: [anEvent()], finish: { status: 'completed' } }));

      expect(await seqsOf(key)).toEqual([1]);
      expect((await readSession(database.pool, key))?.id).toBe(id);
    },
  );
});

async function deadlocks(): Promise<number> {
  const { rows } = await database.pool.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.deadlocks ?? 0;
}
