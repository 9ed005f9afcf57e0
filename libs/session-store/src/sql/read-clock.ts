import { type DatabaseClock } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** The database's clock: the only one that leases and deadlines go by. */
export async function readClock(pool: Pool): Promise<DatabaseClock> {
  const [row] = await query<{ now_ms: number }>(pool, statement, []);
  return { nowMs: row?.now_ms ?? 0 };
}

const statement = {
  name: 'read-clock',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms',
};
