import { type Pool } from 'pg';
import { query } from './query';

/** How many letters nobody has dealt with, by pool; reads the index of those. */
export async function countDeadLetters(
  pool: Pool,
): Promise<readonly (readonly [pool: string, open: number])[]> {
  const rows = await query<{ pool: string; open: number }>(pool, statement, []);
  return rows.map((row) => [row.pool, row.open]);
}

const statement = {
  name: 'count-dead-letters',
  text: `SELECT pool, count(*) AS open FROM adk_dead_letters WHERE status = 'open' GROUP BY pool`,
};
