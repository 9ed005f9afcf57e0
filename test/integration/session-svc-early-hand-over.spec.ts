import { randomUUID } from 'node:crypto';
import { type Handover, type SessionKey, type WorkMessage } from '@skein/contracts';
import { TcpProxy } from '@skein/testing';
import { holdCommits } from './held-commits';
import { sharedServices } from './session-services';
import { aKey, anEvent, aUnit, eventually } from './session-store-harness';
import { appendTo, type FakeRunner, handoverOf, startFakeRunner, submitTo } from './session-svc-harness';

const spec = sharedServices({}, 0);
const { ground, cleanup } = spec;

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

const secondOf = (runner: FakeRunner): Promise<Handover> =>
  eventually('the second hand-over', () => runner.handovers[1]);

it('hands a run over while its input is committed, and answers the sender when it is', async () => {
  await spec.startAnother();
  const runner = await startFakeRunner(ground, cleanup);
  const key = await aSessionOf(runner);
  const release = await holdCommits(ground, cleanup, 'adk_inputs');
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
  const release = await holdCommits(ground, cleanup, 'adk_inputs');

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
  const release = await holdCommits(ground, cleanup, 'adk_inputs');

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
