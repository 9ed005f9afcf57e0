import { type BeginTool, type BegunTool } from '@skein/contracts';
import { type Pool } from 'pg';
import { beginRedriven } from './begin-redriven';
import { query } from './query';

/**
 * Gives a call that may run once to the first handler that asks for it, by compare-and-set; the same handler is answered
 * the same again, because the first answer may be lost.
 */
export async function beginTool(pool: Pool, request: BeginTool): Promise<BegunTool> {
  const { ticket, invocationId, message, handler } = request;
  const values = [ticket.dispatchId, invocationId, message, handler];
  const [row] = await query<BegunRow>(pool, statement, values);
  // Nobody waits for it, unless somebody sent it again since.
  if (!row?.is_open) return beginRedriven(pool, request);
  if (row.has_begun) return { verdict: 'run' };
  return { verdict: row.begun_message === message ? 'lost' : 'taken' };
}

interface BegunRow {
  readonly has_begun: boolean;
  readonly is_open: boolean;
  readonly begun_message: string | null;
}

const statement = {
  name: 'begin-tool',
  // The second look is at the row as it was before: one that somebody else begins at this moment counts as theirs.
  text: `
  WITH begun AS (
    UPDATE adk_tool_calls t
       SET status = 'running', begun_message = $3, begun_by = $4
     WHERE t.dispatch_id = $1 AND t.invocation_id = $2 AND t.result IS NULL AND t.applied_seq IS NULL
       AND t.deadline > clock_timestamp()
       AND (t.status = 'dispatched' OR t.status = 'running' AND t.begun_by = $4)
    RETURNING t.dispatch_id)
  SELECT EXISTS (SELECT 1 FROM begun) AS has_begun,
         t.result IS NULL AND t.applied_seq IS NULL AND t.deadline > clock_timestamp() AS is_open,
         t.begun_message
    FROM adk_tool_calls t
   WHERE t.dispatch_id = $1 AND t.invocation_id = $2`,
};
