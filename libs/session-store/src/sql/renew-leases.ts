import { type Renew, type Renewed } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** Renews every lease of one runner in one statement, by the database's clock. */
export async function renewLeases(
  pool: Pool,
  { runnerId, leases }: Renew,
  leaseMs: number,
): Promise<Renewed> {
  const rows = await query<{ id: string; cancel_requested: boolean }>(pool, statement, [
    leases.map(({ invocationId }) => invocationId),
    leases.map(({ epoch }) => epoch),
    runnerId,
    leaseMs,
  ]);
  return {
    held: rows.map(({ id }) => id),
    cancelRequested: rows.filter((row) => row.cancel_requested).map(({ id }) => id),
  };
}

const statement = {
  name: 'renew-leases',
  // Locked by id first: a batch of appends that finishes several invocations locks them in the same order.
  text: `
  WITH held AS (
    SELECT i.id
      FROM adk_invocations i
      JOIN unnest($1::text[], $2::bigint[]) AS lease(id, epoch) ON lease.id = i.id AND lease.epoch = i.epoch
     WHERE i.owner = $3 AND i.status = 'running'
     ORDER BY i.id
       FOR NO KEY UPDATE OF i)
  UPDATE adk_invocations i
     SET lease_until = clock_timestamp() + $4::bigint * interval '1 millisecond'
    FROM held
   WHERE i.id = held.id AND i.status = 'running' AND i.owner = $3
  RETURNING i.id, i.cancel_requested_at IS NOT NULL AS cancel_requested`,
};
