import { type Pool } from 'pg';
import { query } from './query';

/** Deletes letters that died that long ago, whatever became of them, but none that is under way; answers how many. */
export async function forgetDeadLetters(pool: Pool, olderThanMs: number): Promise<number> {
  return (await query(pool, statement, [olderThanMs])).length;
}

/** So many at once that a sweep is not held up by a month in which everything failed. */
const AT_ONCE = 1_000;

const statement = {
  name: 'forget-dead-letters',
  text: `
  DELETE FROM adk_dead_letters
   WHERE dispatch_id IN (
     SELECT dispatch_id FROM adk_dead_letters
      WHERE died_at < clock_timestamp() - $1::bigint * interval '1 millisecond'
        AND NOT (status = 'redriven' AND result IS NULL)
      ORDER BY died_at
      LIMIT ${AT_ONCE}
        FOR UPDATE SKIP LOCKED)
  RETURNING dispatch_id`,
};
