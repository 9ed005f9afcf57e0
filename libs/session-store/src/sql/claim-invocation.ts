import { type Claim } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';
import { type ClaimedRun, readHandover } from './read-handover';

/** Claims a queued invocation that is the next of its session. The same claim id answers the same claim again. */
export async function claimInvocation(
  pool: Pool,
  claim: Claim,
  leaseMs: number,
): Promise<ClaimedRun | undefined> {
  const [row] = await query<{ epoch: number | null }>(pool, statement, [
    claim.invocationId,
    claim.runnerId,
    claim.claimId,
    leaseMs,
  ]);
  // The epoch of this very claim: when it is lost before the read, nothing is answered and not the next owner's epoch.
  return row?.epoch == null ? undefined : readHandover(pool, { ...claim, epoch: row.epoch });
}

const statement = {
  name: 'claim-invocation',
  text: 'SELECT skein_claim($1, $2, $3, $4::bigint) AS epoch',
};
