import { type Pool } from 'pg';
import { query } from './query';

/** Who runs an invocation now; absent when nobody does. */
export async function readOwner(
  pool: Pool,
  invocationId: string,
): Promise<{ runnerId: string; epoch: number } | undefined> {
  const [row] = await query<{ owner: string; epoch: number }>(pool, statement, [invocationId]);
  return row && { runnerId: row.owner, epoch: row.epoch };
}

const statement = {
  name: 'read-owner',
  text: `SELECT owner, epoch FROM adk_invocations WHERE id = $1 AND status = 'running' AND owner IS NOT NULL`,
};
