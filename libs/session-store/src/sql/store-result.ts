import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** What became of a result: only the first one of a call is stored; `late` for a call that was given up before it. */
export type ResultDisposition = 'stored' | 'duplicate' | 'late' | 'unknown';

export interface StoreResultOptions {
  /** `dead` for a call given up by the plane. */
  readonly status?: 'done' | 'dead';
  /** The runner that has the result in hand already, and need not be given it again while it owns the invocation. */
  readonly heldBy?: string | undefined;
}

/** Keeps a result that no runner has applied, for whoever owns the invocation then. */
export async function storeResult(
  pool: Pool,
  result: ToolResultMessage,
  { status = 'done', heldBy }: StoreResultOptions = {},
): Promise<ResultDisposition> {
  const [row] = await query<{ stored: boolean; status: string | null }>(pool, statement, [
    result.ticket.dispatchId,
    result.invocationId,
    JSON.stringify(result),
    status,
    heldBy ?? null,
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
           forwarded_epoch = (SELECT i.epoch FROM adk_invocations i
                               WHERE i.id = t.invocation_id AND i.status = 'running' AND i.owner = $5)
     WHERE t.dispatch_id = $1 AND t.invocation_id = $2 AND t.result IS NULL AND t.applied_seq IS NULL
    RETURNING t.dispatch_id)
  SELECT EXISTS (SELECT 1 FROM stored) AS stored,
         (SELECT t.status FROM adk_tool_calls t WHERE t.dispatch_id = $1 AND t.invocation_id = $2) AS status`,
};
