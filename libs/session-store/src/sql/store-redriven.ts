import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';
import { wasBegun } from './started-of';

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

/**
 * Ends calls among these that were admitted as redrives and have no letter that is under way: nobody sends them, and they would
 * take their pool's room until their deadline. Answers how many.
 */
export async function endLetterless(pool: Pool, dispatchIds: readonly string[]): Promise<number> {
  return (await query(pool, letterlessStatement, [dispatchIds])).length;
}

const UNDER_WAY = `status = 'redriven' AND result IS NULL`;

/** What a call is once nobody runs it any more. */
const OVER = `CASE WHEN t.applied_seq IS NULL THEN 'dead' ELSE 'done' END`;

/** Whatever a redrive comes to, its call counts as under way no more. */
function closing(letters: string): string {
  return `
  WITH over AS (${letters}
    RETURNING dispatch_id),
  closed AS (
    UPDATE adk_tool_calls t SET status = ${OVER}
      FROM over
     WHERE t.dispatch_id = over.dispatch_id AND t.status IN ('queued', 'dispatched', 'running'))
  SELECT dispatch_id FROM over`;
}

const resultStatement = {
  name: 'store-redriven-result',
  text: closing(`
    UPDATE adk_dead_letters SET result = $3::jsonb, started = started + 1
     WHERE dispatch_id = $1 AND attempts = $2 AND ${UNDER_WAY}`),
};

const errorStatement = {
  name: 'store-redriven-error',
  text: closing(`
    UPDATE adk_dead_letters SET status = 'open', code = $3, message = $4, died_at = clock_timestamp(),
           started = started + (${wasBegun('$3::text')})::integer
     WHERE dispatch_id = $1 AND attempts = $2 AND ${UNDER_WAY}`),
};

const overdueStatement = {
  name: 'end-overdue-redrives',
  text: closing(`
    UPDATE adk_dead_letters
       SET status = 'open', code = 'tool.deadline', died_at = clock_timestamp(),
           started = started + CASE WHEN EXISTS (SELECT 1 FROM adk_tool_calls t
                                                  WHERE t.dispatch_id = adk_dead_letters.dispatch_id AND t.status = 'queued')
                                    THEN 0 ELSE 1 END,
           message = 'Tool ' || tool || ' gave no result before the deadline of its redrive.'
     WHERE ${UNDER_WAY} AND deadline < clock_timestamp()`),
};

const letterlessStatement = {
  name: 'end-letterless',
  text: `
  UPDATE adk_tool_calls t SET status = ${OVER}
   WHERE t.dispatch_id = ANY ($1) AND t.status = 'dispatched' AND (t.result IS NOT NULL OR t.applied_seq IS NOT NULL)
     AND NOT EXISTS (SELECT 1 FROM adk_dead_letters d
                      WHERE d.dispatch_id = t.dispatch_id AND d.status = 'redriven' AND d.result IS NULL)
  RETURNING t.dispatch_id`,
};
