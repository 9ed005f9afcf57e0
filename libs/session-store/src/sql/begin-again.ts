import { type AgainCall } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/**
 * What became of a call that a worker asked to begin again: `run`, that start of it is counted; `spent`, there were as many
 * as its policy has; `crowded`, none is counted, since it would run beside too many; `over`, nobody waits for this message.
 */
export type BeginAgain =
  | { readonly kind: 'run' | 'spent'; readonly attempt: number }
  /** With how many starts there were before, of which `inAttempt` under the present attempt. */
  | { readonly kind: 'crowded'; readonly inAttempt: number }
  | { readonly kind: 'over' };

/**
 * Counts a start of a call that a worker may have died of, unless there were as many as it may have. The fewer are left to
 * it, the fewer of its kind may run beside it: sixteen, four, and none at its last two. So one that ends its worker each time
 * is alone among them before its attempts are spent, and so is one that was beside it by chance, wherever they meet.
 */
export async function beginAgain(pool: Pool, request: AgainCall): Promise<BeginAgain> {
  const { ticket, invocationId, handler, returned, started, beside } = request;
  const [row] = await query<AgainRow>(pool, statement, [
    ...[ticket.dispatchId, invocationId, ticket.attempt, returned, started, handler, beside],
  ]);
  if (!row) return { kind: 'over' };
  if (row.begun !== null) return { kind: 'run', attempt: row.begun };
  if (row.before >= row.most) return { kind: 'spent', attempt: row.before };
  return { kind: 'crowded', inAttempt: Math.max(0, row.before - ticket.attempt + 1) };
}

interface AgainRow {
  readonly before: number;
  readonly most: number;
  readonly begun: number | null;
}

const statement = {
  name: 'begin-again',
  // A message that comes back from a worker under a later attempt is asked for at its first delivery too, so that it counts
  // as no start; of any other, that was one. Who asks again is answered as before.
  text: `
  WITH called AS (
    SELECT t.dispatch_id, t.begun_by, t.starts, (t.policy ->> 'maxAttempts')::integer AS most,
           greatest(t.starts, t.attempt - CASE WHEN $5::integer = 0 OR t.attempt > 1 AND t.returned > 0 THEN 1 ELSE 0 END)
             AS before
      FROM adk_tool_calls t
     WHERE t.dispatch_id = $1 AND t.invocation_id = $2 AND t.status = 'dispatched'
       AND t.attempt = $3 AND t.returned = $4 AND t.result IS NULL AND t.applied_seq IS NULL
       FOR UPDATE),
  begun AS (
    UPDATE adk_tool_calls t
       SET starts = CASE WHEN c.begun_by = $6::uuid THEN c.starts ELSE c.before + 1 END, begun_by = $6::uuid
      FROM called c
     WHERE t.dispatch_id = c.dispatch_id
       AND (c.begun_by = $6::uuid
            OR c.before < c.most AND $7::integer < 4 ^ least(greatest(c.most - c.before - 2, 0), 10))
    RETURNING t.starts)
  SELECT c.before, c.most, (SELECT b.starts FROM begun b) AS begun FROM called c`,
};
