import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

export interface UnappliedResult {
  readonly runnerId: string;
  readonly result: ToolResultMessage;
}

/**
 * Stored results the present owner of their invocation has not been given, the longest waiting first; and such as it has
 * had for 30 s without applying them, because given once more it does no harm, and lost it would be waited for for ever.
 */
export async function readUnappliedResults(pool: Pool, limit = 500): Promise<UnappliedResult[]> {
  const rows = await query<{ owner: string; result: ToolResultMessage }>(pool, statement, [limit]);
  return rows.map(({ owner, result }) => ({ runnerId: owner, result }));
}

/** Notes that the owner of this epoch has taken the result. */
export async function markForwarded(pool: Pool, dispatchId: string, epoch: number): Promise<void> {
  await query(pool, markStatement, [dispatchId, epoch]);
}

const statement = {
  name: 'read-unapplied-results',
  text: `
  SELECT i.owner, t.result
    FROM adk_invocations i
    JOIN adk_tool_calls t ON t.invocation_id = i.id
   WHERE i.status = 'running'
     AND t.result IS NOT NULL AND t.applied_seq IS NULL
     AND (t.forwarded_epoch IS DISTINCT FROM i.epoch OR t.forwarded_at < clock_timestamp() - interval '30 s')
   ORDER BY t.sent_at
   LIMIT $1`,
};

const markStatement = {
  name: 'mark-forwarded',
  text: 'UPDATE adk_tool_calls SET forwarded_epoch = $2, forwarded_at = clock_timestamp() WHERE dispatch_id = $1',
};
