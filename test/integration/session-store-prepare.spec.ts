import { AppendBatcher, readEventPage } from '@skein/session-store';
import { atCommits } from './held-commits';
import {
  aKey,
  anEvent,
  aUnit,
  LEASE_MS,
  SECRET,
  startRun,
  startTestDatabase,
  type TestDatabase,
} from './session-store-harness';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it('makes ready what leaves with a chain before that is durable, and lets nothing leave whose commit fails', async () => {
  const told: string[] = [];
  const preparing = new AppendBatcher(database.pool, {
    secret: SECRET,
    leaseMs: LEASE_MS,
    prepare: ({ baseSeq }) => {
      told.push(`ready behind ${baseSeq}`);
      return () => told.push(`stored behind ${baseSeq}`);
    },
  });
  const run = await startRun(database.pool, aKey());
  await preparing.append(aUnit(run, 1, { has: [anEvent()] }));

  // Events are taken by their statement, and refused as it is committed.
  const takeCommits = await atCommits(database.pool, 'adk_events', "RAISE EXCEPTION 'refused at the commit'");
  const refused = preparing.append(aUnit(run, 2, { has: [anEvent()] }));
  await expect(refused).rejects.toMatchObject({ name: 'AdkError' }).finally(takeCommits);

  expect(told).toEqual(['ready behind 0', 'stored behind 0', 'ready behind 1']);
  const { events } = await readEventPage(database.pool, { ...run, afterSeq: 0 });
  expect(events.map(({ seq }) => seq)).toEqual([1]);
});
