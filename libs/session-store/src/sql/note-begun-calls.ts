import { type Pool } from 'pg';
import { query } from './query';

/** A call a worker was heard to run, so long ago. */
export interface BegunCall {
  readonly dispatchId: string;
  /** That of the worker: of a call of another pool it says nothing. */
  readonly pool: string;
  readonly agoMs: number;
}

/**
 * Notes that these calls began: from then on their deadline alone ends them, also when their worker falls silent or dies.
 * What was heard before the attempt under way was sent says nothing of that.
 */
export async function noteBegunCalls(pool: Pool, begun: readonly BegunCall[]): Promise<void> {
  if (begun.length === 0) return;
  await query(pool, statement, [
    begun.map(({ dispatchId }) => dispatchId),
    begun.map(({ agoMs }) => Math.max(0, agoMs)),
    begun.map(({ pool: ofWorker }) => ofWorker),
  ]);
}

const statement = {
  name: 'note-begun-calls',
  // Every process hears the same: one that is locked is noted by another, or ends at this moment.
  text: `
  WITH heard AS (
    SELECT t.dispatch_id
      FROM unnest($1::text[], $2::float8[], $3::text[]) AS heard(dispatch_id, ago_ms, pool)
      JOIN adk_tool_calls t ON t.dispatch_id = heard.dispatch_id AND t.pool = heard.pool
     WHERE t.status = 'dispatched' AND t.start_deadline IS NOT NULL
       AND coalesce(t.dispatched_at, t.sent_at) <= clock_timestamp() - heard.ago_ms * interval '1 millisecond'
     ORDER BY t.dispatch_id
       FOR UPDATE OF t SKIP LOCKED)
  UPDATE adk_tool_calls t SET start_deadline = NULL, start_by = t.start_deadline
    FROM heard
   WHERE t.dispatch_id = heard.dispatch_id`,
};
