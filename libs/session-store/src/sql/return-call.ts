import { type ReturnCall, type ReturnReason } from '@skein/contracts';
import { type Pool } from 'pg';
import { SCHEDULE_TO_START_MS } from '../pool-defaults';
import { query } from './query';

/** One that would be begun again beside too many of its kind goes back as one that a worker gives back. */
export interface CallGoingBack extends Omit<ReturnCall, 'reason'> {
  readonly reason: ReturnReason | 'crowded';
}

/** A call that waits for its turn again, and may have it in so many milliseconds. */
export interface BackInQueue {
  readonly pool: string;
  readonly waitMs: number;
}

/**
 * Puts a call back that was given to a worker and not begun there; undefined where it is begun, over, or back already. A
 * compare-and-set on how often it was: of a message that is told of twice, or that there are two of, one counts. One that a
 * leaving worker had goes before those that came after it, the first times; then, as one that met a worker without its
 * tool, it waits, longer each time, so that it does not go round in circles. By when it has to begin is moved by no return,
 * but for one that has to wait until others that were begun again are over: as long as they go on, its time begins anew, up
 * to a bound. An attempt that began elsewhere and was lost is followed by one with a time of its own too. A start that was
 * counted and not made is none: the attempt says how many there were before it.
 */
export async function returnCall(pool: Pool, request: CallGoingBack): Promise<BackInQueue | undefined> {
  const { ticket, invocationId, returned, started } = request;
  const values = [
    ...[ticket.dispatchId, invocationId, ticket.attempt, returned, started],
    ...[pausesOf(request), isMiss(request), request.reason === 'crowded'],
  ];
  const [row] = await query<ReturnedRow>(pool, statement, values);
  return row && { pool: row.pool, waitMs: row.wait_ms };
}

/** As `returnCall`, of a call that was sent again by hand. */
export async function returnRedriven(pool: Pool, request: ReturnCall): Promise<BackInQueue | undefined> {
  const { ticket, returned } = request;
  const values = [ticket.dispatchId, ticket.attempt, returned, pausesOf(request), isMiss(request)];
  const [row] = await query<ReturnedRow>(pool, redrivenStatement, values);
  return row && { pool: row.pool, waitMs: row.wait_ms };
}

/**
 * How often the call, or its redrive, met a worker without its tool; none of a message that is not the one under way, since
 * another worker may run it.
 */
export async function countMisses(pool: Pool, { ticket, returned }: ReturnCall): Promise<number> {
  const [row] = await query<{ readonly missed: number }>(pool, missesStatement, [
    ticket.dispatchId,
    returned,
  ]);
  return row?.missed ?? 0;
}

interface ReturnedRow {
  readonly pool: string;
  readonly wait_ms: number;
}

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 3_000;

/** So often a call may meet a worker that leaves without a wait: more leave in no roll-out that goes well. */
const FREE_RETURNS = 2;

function isMiss({ reason }: CallGoingBack): boolean {
  return reason === 'unknown' || reason === 'away';
}

/** How many pauses came before its own; below zero it has none. */
function pausesOf({ reason, returned }: CallGoingBack): number {
  return reason === 'unstarted' ? returned - FREE_RETURNS : returned;
}

/** Half of it left to chance, so that calls that came back together do not go together again. */
function pause(pauses: string): string {
  return `CASE WHEN ${pauses}::integer < 0 THEN 0
                ELSE least(${FIRST_WAIT_MS} * 2 ^ least(${pauses}::integer, 10), ${MAX_WAIT_MS}) * (0.5 + random() / 2)
           END`;
}

/** How long those may hold a call up, in times of what it may take to begin and to run. */
const MOST_HELD_UP = 10;

const START_MS = `coalesce((t.policy ->> 'scheduleToStartTimeoutMs')::bigint, ${SCHEDULE_TO_START_MS})`;

/**
 * Not on its worker's word alone, which could keep a call from its end for ever: there are others that were begun again.
 * Nor by them for ever: each of them has an end, and yet they may come one after another.
 */
const IS_HELD_UP = `($8::boolean
          AND clock_timestamp() < t.inserted_at + ${MOST_HELD_UP} * interval '1 millisecond' *
                (${START_MS} + (t.policy ->> 'timeoutMs')::bigint)
          AND EXISTS (
             SELECT 1 FROM adk_tool_calls o
              WHERE o.pool = t.pool AND o.status IN ('dispatched', 'running') AND o.starts IS NOT NULL
                AND o.dispatch_id <> t.dispatch_id))`;

const statement = {
  name: 'return-call',
  text: `
  WITH pause AS (SELECT ${pause('$6')} AS wait_ms)
  UPDATE adk_tool_calls t
     SET status = 'queued', attempt = t.attempt + $5::integer, returned = t.returned + 1, confirmed_at = NULL,
         starts = NULL,
         missed = t.missed + $7::boolean::integer,
         not_before = CASE WHEN p.wait_ms = 0 THEN t.sent_at
                           ELSE clock_timestamp() + p.wait_ms * interval '1 millisecond' END,
         start_deadline = coalesce(
           CASE WHEN NOT ${IS_HELD_UP} THEN coalesce(t.start_deadline,
             CASE WHEN $5::integer = 0 OR t.attempt > (t.policy ->> 'maxAttempts')::integer THEN t.start_by END) END,
           clock_timestamp() + interval '1 millisecond' * ${START_MS})
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
    RETURNING d.dispatch_id, ${pause('$4')} AS wait_ms)
  UPDATE adk_tool_calls t
     SET status = 'queued', missed = t.missed + $5::boolean::integer,
         not_before = clock_timestamp() + b.wait_ms * interval '1 millisecond'
    FROM back b
   WHERE t.dispatch_id = b.dispatch_id
  RETURNING t.pool, b.wait_ms::float8 AS wait_ms`,
};

const missesStatement = {
  name: 'count-misses',
  text: `
  SELECT t.missed
    FROM adk_tool_calls t
    LEFT JOIN adk_dead_letters d
      ON d.dispatch_id = t.dispatch_id AND d.status = 'redriven' AND d.result IS NULL
   WHERE t.dispatch_id = $1 AND coalesce(d.returned, t.returned) = $2 AND t.status = 'dispatched'`,
};
