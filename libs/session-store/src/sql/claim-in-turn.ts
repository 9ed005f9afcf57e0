import { type Claim } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';
import { type ClaimedRun, readHandover } from './read-handover';

/**
 * Claims the invocation whose turn it is among those that wait for a runner, or the named one where none does. The same
 * claim id answers the same claim again.
 */
export async function claimInTurn(
  pool: Pool,
  { invocationId, runnerId, claimId }: Claim,
  leaseMs: number,
): Promise<ClaimedRun | undefined> {
  const [row] = await query<ClaimedRow>(pool, statement, [invocationId, runnerId, claimId, leaseMs]);
  if (row?.id == null || row.epoch === null) return undefined;
  return readHandover(pool, { invocationId: row.id, runnerId, epoch: row.epoch });
}

interface ClaimedRow {
  readonly id: string | null;
  readonly epoch: number | null;
}

const statement = {
  name: 'claim-in-turn',
  text: 'SELECT claimed_id AS id, claimed_epoch AS epoch FROM skein_claim_in_turn($1, $2, $3, $4::bigint)',
};
