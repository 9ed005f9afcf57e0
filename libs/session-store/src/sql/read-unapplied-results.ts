import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

export interface UnappliedResult {
  readonly runnerId: string;
  readonly epoch: number;
  readonly result: ToolResultMessage;
}

/** Stored results the present owner of their invocation has not been given, the longest waiting first. */
export async function readUnappliedResults(pool: Pool, limit = 500): Promise<UnappliedResult[]> {
  const rows = await query<{ owner: string; epoch: number; result: ToolResultMessage }>(pool, statement, [
    limit,
  ]);
  return rows.map(({ owner, epoch, result }) => ({ runnerId: owner, epoch, result }));
}

/** Notes that the owner of this epoch has taken the result. */
export async function markForwarded(pool: Pool, dispatchId: string, epoch: number): Promise<void> {
  await query(pool, markStatement, [dispatchId, epoch]);
}

const statement = {
  name: 'read-unapplied-results',
  text: `
  SELECT i.owner, i.epoch, t.result
    FROM adk_invocations i
    JOIN adk_tool_calls t ON t.invocation_id = i.id
   WHERE i.status = 'running'
     AND t.result IS NOT NULL AND t.applied_seq IS NULL AND t.forwarded_epoch IS DISTINCT FROM i.epoch
   ORDER BY t.sent_at
   LIMIT $1`,
};

const markStatement = {
  name: 'mark-forwarded',
  text: 'UPDATE adk_tool_calls SET forwarded_epoch = $2 WHERE dispatch_id = $1',
};
