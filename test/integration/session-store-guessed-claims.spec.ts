import { randomUUID } from 'node:crypto';
import { type Handover, type SessionKey } from '@skein/contracts';
import { AppendBatcher, type SessionHead, SubmitBatcher, type SubmitOutcome } from '@skein/session-store';
import {
  aKey,
  anEvent,
  anEventWithDelta,
  aSubmit,
  aUnit,
  eventually,
  LEASE_MS,
  SECRET,
  startRun,
  submit,
  useStore,
} from './session-store-harness';

const store = useStore();

interface KnownSession {
  readonly key: SessionKey;
  readonly head: SessionHead;
}

/** A session with a turn behind it, by an app and a user of its own, and its head as whoever stored all of it knows it. */
async function aSession(): Promise<KnownSession> {
  const key = aKey({ appName: `app-${randomUUID()}` });
  const run = await startRun(store.pool, key);
  const state = { plain: [1, { b: null }], 'user:name': 'Ada', 'app:limit': 2.5 };
  const finish = { status: 'completed' } as const;
  await store.batcher.append(aUnit(run, 1, { has: [anEventWithDelta(state)], finish }));
  const scopes = { session: { plain: [1, { b: null }] }, user: { name: 'Ada' }, app: { limit: 2.5 } };
  const { sessionUid, epoch } = run;
  return { key, head: { sessionUid, epoch, lastSeq: 1, updatedSeconds: 1, scopes } };
}

interface Guessed {
  readonly told: Handover[];
  readonly outcome: Promise<SubmitOutcome>;
}

function guessing(
  key: SessionKey,
  head: SessionHead,
  { runnerId = 'runner-1', batcher = new SubmitBatcher(store.pool), ...more } = {},
): Guessed {
  const told: Handover[] = [];
  const outcome = batcher.submit(aSubmit(key, more), {
    runnerId,
    leaseMs: LEASE_MS,
    guess: { head, onLeaving: (handover) => told.push(handover) },
  });
  // Looked at later.
  outcome.catch(() => undefined);
  return { told, outcome };
}

it('a guess that is right is told before anything is answered, and is the claim', async () => {
  const { key, head } = await aSession();
  const holder = await store.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM adk_sessions WHERE id = $1 FOR UPDATE', [key.sessionId]);

  const { told, outcome } = guessing(key, head);
  const claim = await eventually('the guess is told', () => told[0]);
  await holder.query('COMMIT');
  holder.release();

  const { handover, submitted } = await outcome;
  expect(submitted).toMatchObject({ invocationId: claim.invocationId, segment: 0, afterSeq: 1 });
  // To the microsecond, where a head knows its milliseconds.
  expect({ ...handover, lastUpdateTime: 1 }).toEqual(claim);
  expect(told).toHaveLength(1);
  const appended = await store.batcher.append(aUnit(claim, 1, { has: [anEvent()], isGuessed: true }));
  expect(appended.lastSeq).toBe(2);
});

it('nothing is guessed of a message that is stored by itself because a neighbour is refused: its session may be held', async () => {
  const { key, head } = await aSession();
  const batcher = new SubmitBatcher(store.pool);
  const bad = aSubmit(aKey(), { newMessage: { role: 'user', parts: [{ text: 'nul \u0000' }] } });
  const refused = batcher.submit(bad, { runnerId: 'runner-1', leaseMs: LEASE_MS });
  const { told, outcome } = guessing(key, head, { batcher });

  await expect(refused).rejects.toThrow();
  expect((await outcome).handover).toMatchObject({ baseSeq: 1 });
  expect(told).toEqual([]);
});

const wrong: [string, (head: SessionHead) => SessionHead][] = [
  ['was deleted and made again', (head) => ({ ...head, sessionUid: randomUUID() })],
  ['was claimed since', (head) => ({ ...head, epoch: head.epoch - 1 })],
  ['was written to since', (head) => ({ ...head, lastSeq: head.lastSeq + 1 })],
  ['has another state', (head) => ({ ...head, scopes: { ...head.scopes, session: { plain: [1] } } })],
  ['is of a user with another state', (head) => ({ ...head, scopes: { ...head.scopes, user: {} } })],
  ['is of an app with another state', (head) => ({ ...head, scopes: { ...head.scopes, app: { limit: 3 } } })],
];
it.each(wrong)(
  'a guess is wrong where the session %s: its run is none, and another is claimed',
  async (_, change) => {
    const { key, head } = await aSession();

    const { told, outcome } = guessing(key, change(head));

    const { handover } = await outcome;
    expect(handover).toMatchObject({ epoch: head.epoch + 1, baseSeq: 1 });
    expect(handover?.sessionState).toEqual(head.scopes.session);
    expect(handover?.invocationId).not.toBe(told[0]?.invocationId);
    await expectFenced(told[0]);
  },
);

it('a guess is wrong where another runner had the session: this one has not all of its events', async () => {
  const { key, head } = await aSession();

  const { told, outcome } = guessing(key, head, { runnerId: 'runner-2' });

  const { handover } = await outcome;
  expect(handover).toMatchObject({ fromSeq: 0, events: [{ seq: 1 }] });
  expect(handover?.invocationId).not.toBe(told[0]?.invocationId);
});

it('a guess is wrong of a message that is stored already under its key: that one is answered', async () => {
  const { key } = await aSession();
  const request = { idempotencyKey: 'once', runnerId: 'runner-1' };
  const first = await submit(store.pool, key, request);
  if (!first.handover) throw new Error('Nothing was claimed.');
  const run = first.handover;
  const finish = { status: 'completed' } as const;
  await store.batcher.append(aUnit(run, 1, { has: [anEvent()], finish }));
  const scopes = { session: run.sessionState, user: run.userState, app: run.appState };
  const { sessionUid, epoch } = run;

  const again = guessing(key, { sessionUid, epoch, lastSeq: 2, updatedSeconds: 1, scopes }, request);

  expect((await again.outcome).submitted).toEqual(first.submitted);
  // It waits for its claim, which never comes: until its runner finds that it holds no lease.
  const [claim] = again.told as [Handover];
  const batcher = new AppendBatcher(store.pool, { secret: SECRET, leaseMs: LEASE_MS, predecessorWaitMs: 50 });
  const appended = batcher.append(aUnit(claim, 1, { has: [anEvent()], isGuessed: true }));
  await expect(appended).rejects.toMatchObject({ code: 'append.predecessor-missing' });
});

it('a guess is wrong where the session is busy: the message waits, as another invocation', async () => {
  const { key, head } = await aSession();
  const running = await startRun(store.pool, key);

  const { told, outcome } = guessing(key, { ...head, epoch: running.epoch });

  const { handover, submitted, needsPointer } = await outcome;
  expect({ handover, needsPointer }).toEqual({ handover: undefined, needsPointer: false });
  expect(submitted.invocationId).not.toBe(told[0]?.invocationId);
  // Whoever ends what runs claims it under the very epoch that was guessed.
  const finish = { status: 'completed' } as const;
  await store.batcher.append(aUnit(running, 1, { has: [anEvent()], finish }));
  await expectFenced(told[0]);
});

it('of submits that come together nobody is told, and the claims are the guessed ones all the same', async () => {
  const sessions = [await aSession(), await aSession()];
  const batcher = new SubmitBatcher(store.pool);
  const told: Handover[] = [];
  const onLeaving = (handover: Handover) => told.push(handover);

  const outcomes = await Promise.all(
    sessions.map(({ key, head }) =>
      batcher.submit(aSubmit(key), {
        ...{ runnerId: 'runner-1', leaseMs: LEASE_MS },
        guess: { head, onLeaving },
      }),
    ),
  );

  expect(outcomes.map(({ handover }) => handover?.baseSeq)).toEqual([1, 1]);
  expect(told).toEqual([]);
});

it('what a guessed run stores before its claim is there waits for it', async () => {
  const { key, head } = await aSession();
  const claim = { ...key, invocationId: `e-${randomUUID()}`, epoch: head.epoch + 1, segment: 0 } as Handover;
  const asked = jest.spyOn(store.pool, 'query');
  const looked = () => asked.mock.calls.filter(([statement]) => nameOf(statement) === 'read-unit').length;

  const appended = Promise.all([
    store.batcher.append(aUnit(claim, 1, { has: [anEvent()], isGuessed: true })),
    store.batcher.append(aUnit(claim, 2, { has: [anEvent()], isGuessed: true })),
  ]);
  // Each of them once, and one again.
  await eventually('both are held back', () => (looked() > 2 ? true : undefined));
  asked.mockRestore();
  const guess = { invocation_id: claim.invocationId, session_uid: head.sessionUid };
  const input = {
    ...{ invocation_id: `e-${randomUUID()}`, message: {}, run_config: {}, on_busy: 'enqueue', digest: '' },
    guess: { ...guess, epoch: head.epoch, last_seq: head.lastSeq, scopes: head.scopes },
  };
  await store.pool.query('SELECT skein_submit($1, $2, $3, $4, $5, $6)', [
    ...[key.appName, key.userId, key.sessionId],
    ...[JSON.stringify(input), 'runner-1', LEASE_MS],
  ]);

  expect((await appended).map(({ lastSeq }) => lastSeq)).toEqual([2, 3]);
});

it('a unit that no guess is behind does not wait for a claim', async () => {
  const { key, head } = await aSession();
  const claim = { ...key, invocationId: `e-${randomUUID()}`, epoch: head.epoch + 1, segment: 0 } as Handover;

  const appended = store.batcher.append(aUnit(claim, 1, { has: [anEvent()] }));

  await expect(appended).rejects.toMatchObject({ code: 'append.fenced' });
});

async function expectFenced(claim: Handover | undefined): Promise<void> {
  if (!claim) throw new Error('nobody was told of the guess');
  const appended = store.batcher.append(aUnit(claim, 1, { has: [anEvent()], isGuessed: true }));
  await expect(appended).rejects.toMatchObject({ code: 'append.fenced' });
}

function nameOf(statement: unknown): unknown {
  return (statement as { readonly name?: unknown }).name;
}
