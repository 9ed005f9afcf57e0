import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** What became of a result: only the first one of a call is stored; `late` for a call that was given up before it. */
export type ResultDisposition = 'stored' | 'duplicate' | 'late' | 'unknown';

export interface StoreResultOptions {
  /** `dead` for a call given up by the plane. */
  readonly status?: 'done' | 'dead';
  /** The epoch whose owner has the result in hand already, and need not be given it at once. */
  readonly heldIn?: number | undefined;
}

/** Keeps a result that no runner has applied, for whoever owns the invocation then. */
export async function storeResult(
  pool: Pool,
  result: ToolResultMessage,
  { status = 'done', heldIn }: StoreResultOptions = {},
): Promise<ResultDisposition> {
  const [row] = await query<{ stored: boolean; status: string | null }>(pool, statement, [
    result.ticket.dispatchId,
    result.invocationId,
    JSON.stringify(result),
    status,
    heldIn ?? null,
  ]);
  if (row?.stored) return 'stored';
  if (row?.status === 'dead') return 'late';
  return row?.status ? 'duplicate' : 'unknown';
}

const statement = {
  name: 'store-result',
  text: `
  WITH stored AS (
    UPDATE adk_tool_calls t
       SET result = $3::jsonb, status = $4,
           forwarded_epoch = $5, forwarded_at = clock_timestamp()
     WHERE t.dispatch_id = $1 AND t.invocation_id = $2 AND t.result IS NULL AND t.applied_seq IS NULL
    RETURNING t.dispatch_id)
  SELECT EXISTS (SELECT 1 FROM stored) AS stored,
         (SELECT t.status FROM adk_tool_calls t WHERE t.dispatch_id = $1 AND t.invocation_id = $2) AS status`,
};
