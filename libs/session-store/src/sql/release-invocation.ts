import { type Pool } from 'pg';
import { query } from './query';

/** Queues a running invocation again on behalf of the holder of its epoch, who is fenced from now on. */
export async function releaseInvocation(pool: Pool, invocationId: string, epoch: number): Promise<boolean> {
  return release(pool, invocationId, epoch, false);
}

/**
 * The same for a claim its runner never took; one that has stored something did take it and keeps it. With
 * `unrenewedMs`, so does one whose lease has longer to go than that: it was renewed since the claim.
 */
export async function unclaimInvocation(
  pool: Pool,
  invocationId: string,
  epoch: number,
  unrenewedMs?: number,
): Promise<boolean> {
  return release(pool, invocationId, epoch, true, unrenewedMs);
}

async function release(
  pool: Pool,
  invocationId: string,
  epoch: number,
  onlyUntouched: boolean,
  unrenewedMs?: number,
): Promise<boolean> {
  const values = [invocationId, epoch, onlyUntouched, unrenewedMs ?? null];
  const [row] = await query<{ released: boolean }>(pool, statement, values);
  return row?.released ?? false;
}

const statement = {
  name: 'release-invocation',
  text: 'SELECT skein_release($1, $2::bigint, $3, $4::bigint) AS released',
};
