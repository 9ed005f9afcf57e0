import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/**
 * Keeps what a redrive came to with its letter: a result, or why the letter is open again. Answers whether it did: only the
 * first of the present redrive counts.
 */
export async function storeRedriven(pool: Pool, result: ToolResultMessage): Promise<boolean> {
  const { ticket, outcome } = result;
  const rows =
    outcome.kind === 'result'
      ? await query(pool, resultStatement, [ticket.dispatchId, ticket.attempt, JSON.stringify(result)])
      : await query(pool, errorStatement, [ticket.dispatchId, ticket.attempt, outcome.code, outcome.message]);
  return rows.length > 0;
}

/** Opens the letters again whose redrive gave nothing before its deadline; answers how many. */
export async function endOverdueRedrives(pool: Pool): Promise<number> {
  return (await query(pool, overdueStatement, [])).length;
}

const UNDER_WAY = `status = 'redriven' AND result IS NULL`;

/** Whatever a redrive comes to, its call counts as under way no more. */
function closing(letters: string): string {
  return `
  WITH over AS (${letters}
    RETURNING dispatch_id),
  closed AS (
    UPDATE adk_tool_calls t SET status = CASE WHEN t.applied_seq IS NULL THEN 'dead' ELSE 'done' END
      FROM over
     WHERE t.dispatch_id = over.dispatch_id AND t.status IN ('queued', 'dispatched', 'running'))
  SELECT dispatch_id FROM over`;
}

const resultStatement = {
  name: 'store-redriven-result',
  text: closing(`
    UPDATE adk_dead_letters SET result = $3::jsonb
     WHERE dispatch_id = $1 AND attempts = $2 AND ${UNDER_WAY}`),
};

const errorStatement = {
  name: 'store-redriven-error',
  text: closing(`
    UPDATE adk_dead_letters SET status = 'open', code = $3, message = $4, died_at = clock_timestamp()
     WHERE dispatch_id = $1 AND attempts = $2 AND ${UNDER_WAY}`),
};

const overdueStatement = {
  name: 'end-overdue-redrives',
  text: closing(`
    UPDATE adk_dead_letters
       SET status = 'open', code = 'tool.deadline', died_at = clock_timestamp(),
           message = 'Tool ' || tool || ' gave no result before the deadline of its redrive.'
     WHERE ${UNDER_WAY} AND deadline < clock_timestamp()`),
};
