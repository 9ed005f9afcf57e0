import { AppendBatcher, readEventPage } from '@skein/session-store';
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

  await database.pool.query(REFUSE_COMMITS);
  const refused = preparing.append(aUnit(run, 2, { has: [anEvent()] }));
  await expect(refused)
    .rejects.toMatchObject({ name: 'AdkError' })
    .finally(() => database.pool.query('DROP TRIGGER refuse_commits ON adk_events'));

  expect(told).toEqual(['ready behind 0', 'stored behind 0', 'ready behind 1']);
  const { events } = await readEventPage(database.pool, { ...run, afterSeq: 0 });
  expect(events.map(({ seq }) => seq)).toEqual([1]);
});

/** Events are taken by their statement, and refused as it is committed. */
const REFUSE_COMMITS = `
  CREATE OR REPLACE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused at the commit'; END $$;
  CREATE CONSTRAINT TRIGGER refuse_commits AFTER INSERT ON adk_events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse_commit()`;
