import { randomUUID } from 'node:crypto';
import { type Handover, type SessionKey, type WorkMessage } from '@skein/contracts';
import { TcpProxy } from '@skein/testing';
import { sharedServices } from './session-services';
import { aKey, anEvent, aUnit, eventually } from './session-store-harness';
import { appendTo, type FakeRunner, handoverOf, startFakeRunner, submitTo } from './session-svc-harness';

const spec = sharedServices({}, 0);
const { ground, cleanup } = spec;
const HELD = 32;

/** Takes the first run it is offered, and no other. */
function takesOne(): (message: WorkMessage) => 'accepted' | 'refused' | 'unknown' {
  let offers = 0;
  return ({ kind }) => (kind !== 'run' ? 'unknown' : ++offers === 1 ? 'accepted' : 'refused');
}

/** A session whose turn has ended, with a runner that knows it. */
async function aSessionOf(runner: FakeRunner): Promise<SessionKey> {
  const key = aKey();
  const first = await handoverOf(runner, await submitTo(ground, key));
  const unit = { runnerId: runner.runnerId, has: [anEvent()], finish: { status: 'completed' as const } };
  await appendTo(ground, aUnit(first, 1, unit));
  return key;
}

/** From now on inputs are committed only once what this answers is called. */
async function holdCommits(): Promise<() => Promise<void>> {
  const { pool } = ground.database;
  const holder = await pool.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [HELD]);
  await pool.query(`
    CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${HELD}); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER hold_commits AFTER INSERT ON adk_inputs DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION hold_commit()`);
  let isHeld = true;
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query('SELECT pg_advisory_unlock_all()');
    holder.release();
    await pool.query('DROP TRIGGER hold_commits ON adk_inputs; DROP FUNCTION hold_commit()');
  };
  cleanup.add(release);
  return release;
}

const secondOf = (runner: FakeRunner): Promise<Handover> =>
  eventually('the second hand-over', () => runner.handovers[1]);

it('hands a run over while its input is committed, and answers the sender when it is', async () => {
  await spec.startAnother();
  const runner = await startFakeRunner(ground, cleanup);
  const key = await aSessionOf(runner);
  const release = await holdCommits();
  let isAnswered = false;

  const submitted = submitTo(ground, key).finally(() => (isAnswered = true));
  const handover = await secondOf(runner);
  expect(isAnswered).toBe(false);
  await release();

  expect((await submitted).invocationId).toBe(handover.invocationId);
  await appendTo(ground, aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()] }));
  expect(runner.handovers).toHaveLength(2);
});

it('takes a run that is refused before its input is committed back once it is', async () => {
  await spec.startAnother();
  const refuser = await startFakeRunner(ground, cleanup, 'refuser', takesOne());
  const key = await aSessionOf(refuser);
  const release = await holdCommits();

  const submitted = submitTo(ground, key);
  const refused = await secondOf(refuser);
  await refuser.setCredit(0);
  const taker = await startFakeRunner(ground, cleanup, 'taker');
  await release();

  const taken = await handoverOf(taker, await submitted);
  expect(taken.invocationId).toBe(refused.invocationId);
  expect(taken.epoch).toBeGreaterThan(refused.epoch);
});

it('row 24: hands a run over once whose commit was done, and whose answer was lost', async () => {
  const { url, pool } = ground.database;
  const proxy = await TcpProxy.before(url);
  cleanup.add(() => proxy.close());
  await spec.startAnother({ DATABASE_URL: proxy.through(url) });
  const runner = await startFakeRunner(ground, cleanup);
  const key = await aSessionOf(runner);
  const release = await holdCommits();

  const submitted = submitTo(ground, { ...key, requestId: randomUUID() });
  const handover = await secondOf(runner);
  proxy.cut();
  await eventually('it asks again, behind the first', async () => {
    const { rowCount } = await pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%skein_submit%'`,
    );
    return rowCount === 2 ? true : undefined;
  });
  await release();

  expect((await submitted).invocationId).toBe(handover.invocationId);
  expect(runner.handovers).toHaveLength(2);
  await appendTo(ground, aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()] }));
});
