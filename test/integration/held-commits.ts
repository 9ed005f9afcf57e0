import { type Pool } from 'pg';
import { type Cleanup, type ServiceGround } from './session-svc-harness';

const HELD = 32;

/** Has the commit of whatever inserts into the table do this first, in PL/pgSQL, until what it answers is called. */
export async function atCommits(pool: Pool, table: string, first: string): Promise<() => Promise<void>> {
  await pool.query(`
    CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${first}; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER at_commits AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION at_commit()`);
  return async () => {
    await pool.query(`DROP TRIGGER at_commits ON ${table}; DROP FUNCTION at_commit()`);
  };
}

/** From now on what is inserted into this table is committed only once what this answers is called; the test's end does so, too. */
export async function holdCommits(
  { database: { pool } }: ServiceGround,
  cleanup: Cleanup,
  table: string,
): Promise<() => Promise<void>> {
  const holder = await pool.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [HELD]);
  const leaveAlone = await atCommits(pool, table, `PERFORM pg_advisory_xact_lock_shared(${HELD})`);
  let isHeld = true;
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query('SELECT pg_advisory_unlock_all()');
    holder.release();
    await leaveAlone();
  };
  cleanup.add(release);
  return release;
}
