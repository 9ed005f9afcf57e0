import { type Handover, type SessionKey } from '@skein/contracts';
import { SubmitBatcher, type SubmitOutcome } from '@skein/session-store';
import { type PoolClient } from 'pg';
import {
  aKey,
  anEvent,
  aSubmit,
  aUnit,
  eventually,
  LEASE_MS,
  startRun,
  useStore,
} from './session-store-harness';

const store = useStore();
const HELD = 31;

/** Inputs are taken by their statement, and meet the trigger as they are committed. */
const AT_COMMIT = (action: string) => `
  CREATE OR REPLACE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${action}; RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON adk_inputs DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION at_commit()`;

let holder: PoolClient;
beforeEach(async () => {
  holder = await store.pool.connect();
});
afterEach(async () => {
  await holder.query('SELECT pg_advisory_unlock_all()');
  holder.release();
  await store.pool.query('DROP TRIGGER IF EXISTS at_commit ON adk_inputs');
});

interface Submitting {
  readonly told: Handover[];
  readonly outcome: Promise<SubmitOutcome>;
}

function submitting(key: SessionKey, more: Record<string, unknown> = {}): Submitting {
  const told: Handover[] = [];
  const outcome = new SubmitBatcher(store.pool).submit(aSubmit(key, more), {
    runnerId: 'runner-1',
    leaseMs: LEASE_MS,
    onClaimed: (handover) => told.push(handover),
  });
  // Looked at later.
  outcome.catch(() => undefined);
  return { told, outcome };
}

/** A session with a turn behind it. */
async function aSession(): Promise<SessionKey> {
  const key = aKey();
  const first = await startRun(store.pool, key);
  await store.batcher.append(aUnit(first, 1, { has: [anEvent()], finish: { status: 'completed' } }));
  return key;
}

const toldOf = ({ told }: Submitting) => eventually('the claim is told of', () => told[0]);

it('tells of a claim before it is committed, and what its run stores waits for that', async () => {
  const key = await aSession();
  await holder.query('SELECT pg_advisory_lock($1)', [HELD]);
  await store.pool.query(AT_COMMIT(`PERFORM pg_advisory_xact_lock(${HELD})`));

  const submit = submitting(key);
  const claim = await toldOf(submit);
  const appended = store.batcher.append(aUnit(claim, 1, { has: [anEvent()] }));
  // The submit waits for the holder, the append for the submit.
  await eventually('the append waits for a lock', async () => {
    const { rowCount } = await store.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%skein_append_units%'`,
    );
    return rowCount === 1 ? true : undefined;
  });
  const seen = await store.pool.query('SELECT 1 FROM adk_invocations WHERE id = $1', [claim.invocationId]);
  expect(seen.rowCount).toBe(0);
  await holder.query('SELECT pg_advisory_unlock_all()');

  const { handover } = await submit.outcome;
  expect(handover).toEqual(claim);
  expect(submit.told).toHaveLength(1);
  await expect(appended).resolves.toMatchObject({ lastSeq: 2 });
});

it('a claim whose commit fails is nothing: its run is fenced, and the session goes on without it', async () => {
  const key = await aSession();
  await store.pool.query(AT_COMMIT(`RAISE EXCEPTION 'refused at the commit'`));

  const submit = submitting(key);
  const claim = await toldOf(submit);
  await expect(submit.outcome).rejects.toMatchObject({ name: 'AdkError' });
  const append = store.batcher.append(aUnit(claim, 1, { has: [anEvent()] }));
  await expect(append).rejects.toMatchObject({ code: 'append.fenced' });
  await store.pool.query('DROP TRIGGER at_commit ON adk_inputs');

  const next = await submitting(key).outcome;
  expect(next.handover).toMatchObject({ baseSeq: 1, epoch: claim.epoch });
  expect(next.handover?.invocationId).not.toBe(claim.invocationId);
});

it('of a session that is made with it nobody is told early: others would not wait for its row', async () => {
  const { told, outcome } = submitting(aKey());

  expect((await outcome).handover).toMatchObject({ epoch: 1 });
  expect(told).toEqual([]);
});

it('of one that interrupts nobody is told early: it has events that its runner could not read yet', async () => {
  const key = await aSession();
  const interrupted = await startRun(store.pool, key);

  const { told, outcome } = submitting(key, { onBusy: 'interrupt' });

  expect((await outcome).interrupted).toMatchObject([{ invocationId: interrupted.invocationId }]);
  expect(told).toEqual([]);
});

it('of submits that came together nobody is told early', async () => {
  const keys = [await aSession(), await aSession()];
  const told: Handover[] = [];
  const batcher = new SubmitBatcher(store.pool);
  const onClaimed = (handover: Handover) => told.push(handover);
  const outcomes = await Promise.all(
    keys.map((key) => batcher.submit(aSubmit(key), { runnerId: 'runner-1', leaseMs: LEASE_MS, onClaimed })),
  );

  expect(outcomes.map(({ handover }) => handover?.baseSeq)).toEqual([1, 1]);
  expect(told).toEqual([]);
});
