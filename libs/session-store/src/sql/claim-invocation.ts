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
  const [row] = await query<{ claimed: boolean }>(pool, statement, [
    claim.invocationId,
    claim.runnerId,
    claim.claimId,
    leaseMs,
  ]);
  return row?.claimed ? readHandover(pool, claim.invocationId) : undefined;
}

const statement = {
  name: 'claim-invocation',
  text: 'SELECT skein_claim($1, $2, $3, $4::bigint) AS claimed',
};
