import { type ReturnCall } from '@skein/contracts';
import { type Pool } from 'pg';
import { SCHEDULE_TO_START_MS } from '../pool-defaults';
import { query } from './query';

/** A call that waits for its turn again, and may have it in so many milliseconds. */
export interface BackInQueue {
  readonly pool: string;
  readonly waitMs: number;
}

/**
 * Puts a call back that was given to a worker and not begun there; undefined where it is begun, over, or back already. A
 * compare-and-set on how often it was: of a message that is told of twice, or that there are two of, one counts. One that a
 * leaving worker had goes before those that came after it; one that met a worker without its tool waits, longer each time,
 * so that it does not go round in circles while the worker that has the tool is busy.
 */
export async function returnCall(pool: Pool, request: ReturnCall): Promise<BackInQueue | undefined> {
  const { ticket, invocationId, reason, returned, started } = request;
  const values = [ticket.dispatchId, invocationId, ticket.attempt, returned, started, reason === 'unstarted'];
  const [row] = await query<ReturnedRow>(pool, statement, values);
  return row && { pool: row.pool, waitMs: row.wait_ms };
}

/** As `returnCall`, of a call that was sent again by hand. */
export async function returnRedriven(pool: Pool, request: ReturnCall): Promise<BackInQueue | undefined> {
  const { ticket, returned, reason } = request;
  const values = [ticket.dispatchId, ticket.attempt, returned, reason === 'unstarted'];
  const [row] = await query<ReturnedRow>(pool, redrivenStatement, values);
  return row && { pool: row.pool, waitMs: row.wait_ms };
}

interface ReturnedRow {
  readonly pool: string;
  readonly wait_ms: number;
}

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 3_000;

/** Half of it left to chance, so that calls that came back together do not go together again. */
function pause(isUnstarted: string, returned: string): string {
  return `CASE WHEN ${isUnstarted}::boolean THEN 0
                ELSE least(${FIRST_WAIT_MS} * 2 ^ least(${returned}::integer, 10), ${MAX_WAIT_MS}) * (0.5 + random() / 2)
           END`;
}

const statement = {
  name: 'return-call',
  text: `
  WITH pause AS (SELECT ${pause('$6', '$4')} AS wait_ms)
  UPDATE adk_tool_calls t
     SET status = 'queued', attempt = t.attempt + $5::integer, returned = t.returned + 1, confirmed_at = NULL,
         not_before = CASE WHEN $6::boolean THEN t.sent_at
                           ELSE clock_timestamp() + p.wait_ms * interval '1 millisecond' END,
         start_deadline = coalesce(t.start_deadline, clock_timestamp() + interval '1 millisecond' *
             coalesce((t.policy ->> 'scheduleToStartTimeoutMs')::bigint, ${SCHEDULE_TO_START_MS}))
    FROM pause p, adk_invocations i
   WHERE t.dispatch_id = $1 AND t.invocation_id = $2 AND i.id = t.invocation_id
     AND t.status = 'dispatched' AND t.attempt = $3 AND t.returned = $4
     AND t.result IS NULL AND t.applied_seq IS NULL
     AND i.status IN ('queued', 'running') AND i.cancel_requested_at IS NULL
  RETURNING t.pool, p.wait_ms::float8 AS wait_ms`,
};

const redrivenStatement = {
  name: 'return-redriven',
  text: `
  WITH back AS (
    UPDATE adk_dead_letters d
       SET returned = d.returned + 1, confirmed_at = NULL
     WHERE d.dispatch_id = $1 AND d.attempts = $2 AND d.returned = $3
       AND d.status = 'redriven' AND d.result IS NULL AND d.begun_by IS NULL AND d.deadline > clock_timestamp()
    RETURNING d.dispatch_id, ${pause('$4', '$3')} AS wait_ms)
  UPDATE adk_tool_calls t
     SET status = 'queued', not_before = clock_timestamp() + b.wait_ms * interval '1 millisecond'
    FROM back b
   WHERE t.dispatch_id = b.dispatch_id
  RETURNING t.pool, b.wait_ms::float8 AS wait_ms`,
};
