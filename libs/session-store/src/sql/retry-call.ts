import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { SCHEDULE_TO_START_MS } from '../pool-defaults';
import { query } from './query';

/**
 * What became of an attempt that failed and may be tried again: `queued` for its next one; `spent`, it was the last;
 * `repeated`, the call is at a later attempt already, so the word of this one is old; `over`, nobody waits for it.
 */
export type RetryVerdict =
  | { readonly kind: 'queued'; readonly pool: string; readonly waitMs: number }
  | { readonly kind: 'spent' | 'repeated' | 'over' };

/**
 * Has a call tried again after its backoff, unless its attempts are spent, or it asks to wait for longer than it may wait to
 * be started: then the model is told now. Attempts a worker died in count with those that
 * threw. What the worker says of its attempt counts only upwards: the number of the next is in no message before it. A
 * compare-and-set on the attempt, so that a message that comes twice changes nothing. One that ran although another worker
 * had handed the call back, by a message that was delivered again, counts as well: the call waits for its next attempt then.
 */
export async function retryCall(pool: Pool, result: ToolResultMessage): Promise<RetryVerdict> {
  const { ticket, invocationId, execution, retry } = result;
  const [row] = await query<RetryRow>(pool, statement, [
    ticket.dispatchId,
    invocationId,
    ticket.attempt,
    Math.max(ticket.attempt, execution.attempt),
    retry?.afterMs ?? null,
  ]);
  if (!row) return { kind: 'over' };
  if (row.pool !== null) return { kind: 'queued', pool: row.pool, waitMs: row.wait_ms ?? 0 };
  if (!row.is_open) return { kind: 'over' };
  return { kind: row.attempt > ticket.attempt ? 'repeated' : 'spent' };
}

interface RetryRow {
  readonly pool: string | null;
  readonly wait_ms: number | null;
  readonly is_open: boolean;
  readonly attempt: number;
}

const statement = {
  name: 'retry-call',
  // With half of its backoff left to chance, so that calls that failed together do not come back together.
  text: `
  WITH backoff AS (
    SELECT t.dispatch_id, greatest(
             least(coalesce((t.policy ->> 'maxBackoffMs')::float8, 60000),
                   coalesce((t.policy ->> 'backoffMs')::float8, 1000) * 2 ^ least($4::integer - 1, 40))
               * (0.5 + random() / 2),
             $5::float8) AS wait_ms
      FROM adk_tool_calls t
     WHERE t.dispatch_id = $1),
  queued AS (
    UPDATE adk_tool_calls t
       SET status = 'queued', attempt = $4::integer + 1, begun_message = NULL, begun_by = NULL, confirmed_at = NULL,
           returned = 0, missed = 0, starts = NULL,
           not_before = clock_timestamp() + b.wait_ms * interval '1 millisecond',
           start_deadline = clock_timestamp() + interval '1 millisecond' *
             (b.wait_ms + coalesce((t.policy ->> 'scheduleToStartTimeoutMs')::bigint, ${SCHEDULE_TO_START_MS}))
      FROM backoff b, adk_invocations i
     WHERE t.dispatch_id = b.dispatch_id AND t.invocation_id = $2 AND i.id = t.invocation_id
       AND t.status IN ('queued', 'dispatched') AND t.attempt = $3 AND t.result IS NULL AND t.applied_seq IS NULL
       AND $4 < (t.policy ->> 'maxAttempts')::integer AND t.policy ->> 'sideEffect' <> 'once'
       AND ($5 IS NULL OR $5 <= coalesce((t.policy ->> 'scheduleToStartTimeoutMs')::bigint, ${SCHEDULE_TO_START_MS}))
       AND i.status IN ('queued', 'running') AND i.cancel_requested_at IS NULL
    RETURNING t.dispatch_id, t.pool, b.wait_ms)
  SELECT q.pool, q.wait_ms::float8 AS wait_ms, t.attempt,
         t.status IN ('queued', 'dispatched', 'running') AND t.result IS NULL AND t.applied_seq IS NULL AS is_open
    FROM adk_tool_calls t
    LEFT JOIN queued q ON q.dispatch_id = t.dispatch_id
   WHERE t.dispatch_id = $1 AND t.invocation_id = $2`,
};
