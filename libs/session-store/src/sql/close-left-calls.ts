import { type Pool } from 'pg';
import { query } from './query';

/**
 * Closes sent calls that are past their deadline and whose invocation is over, or that have a result and were sent again by
 * hand: nobody waits for them, and until they are closed they count as under way. Answers how many it closed.
 */
export async function closeLeftCalls(pool: Pool, limit = 1_000): Promise<number> {
  const [row] = await query<{ closed: number }>(pool, statement, [limit]);
  return row?.closed ?? 0;
}

const statement = {
  name: 'close-left-calls',
  text: `
  WITH left_over AS (
    SELECT t.dispatch_id
      FROM adk_tool_calls t
      JOIN adk_invocations i ON i.id = t.invocation_id
     WHERE t.status IN ('dispatched', 'running') AND t.deadline < statement_timestamp()
       AND (i.status NOT IN ('queued', 'running') OR t.result IS NOT NULL)
     ORDER BY t.deadline, t.dispatch_id
     LIMIT $1
       FOR UPDATE OF t SKIP LOCKED),
  closed AS (
    UPDATE adk_tool_calls t SET status = 'dead'
      FROM left_over l
     WHERE t.dispatch_id = l.dispatch_id
    RETURNING 1)
  SELECT count(*)::int AS closed FROM closed`,
};
