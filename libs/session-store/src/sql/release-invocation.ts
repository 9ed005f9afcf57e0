import { type Pool } from 'pg';
import { query } from './query';

/** Queues a running invocation again on behalf of the holder of its epoch, who is fenced from now on. */
export async function releaseInvocation(pool: Pool, invocationId: string, epoch: number): Promise<boolean> {
  return release(pool, invocationId, epoch, false);
}

/** The same for a claim its runner never took; one that has stored something did take it and keeps it. */
export async function unclaimInvocation(pool: Pool, invocationId: string, epoch: number): Promise<boolean> {
  return release(pool, invocationId, epoch, true);
}

async function release(
  pool: Pool,
  invocationId: string,
  epoch: number,
  onlyUntouched: boolean,
): Promise<boolean> {
  const [row] = await query<{ released: boolean }>(pool, statement, [invocationId, epoch, onlyUntouched]);
  return row?.released ?? false;
}

const statement = {
  name: 'release-invocation',
  text: 'SELECT skein_release($1, $2::bigint, $3) AS released',
};
