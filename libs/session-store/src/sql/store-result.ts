import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';
import { STARTED } from './started-of';

/** What became of a result: only the first one of a call is stored; `late` for a call that was given up before it. */
export type ResultDisposition = 'stored' | 'duplicate' | 'late' | 'unknown';

export interface StoreResultOptions {
  /** `dead` for a call given up by the plane. */
  readonly status?: 'done' | 'dead';
  /** The epoch whose owner has the result in hand already, and need not be given it at once. */
  readonly heldIn?: number | undefined;
  /** Not when the call is at a later attempt: what is told of this one is old. */
  readonly upToAttempt?: number;
}

/**
 * Keeps a result that no runner has applied, for whoever owns the invocation then. With `dead` the call's dead letter is
 * written in the same transaction: there is none without the other.
 */
export async function storeResult(
  pool: Pool,
  result: ToolResultMessage,
  { status = 'done', heldIn, upToAttempt }: StoreResultOptions = {},
): Promise<ResultDisposition> {
  const [row] = await query<{ stored: boolean; status: string | null }>(
    pool,
    status === 'dead' ? deadStatement : statement,
    [
      result.ticket.dispatchId,
      result.invocationId,
      JSON.stringify(result),
      status,
      heldIn ?? null,
      upToAttempt ?? null,
    ],
  );
  if (row?.stored) return 'stored';
  if (row?.status === 'dead') return 'late';
  return row?.status ? 'duplicate' : 'unknown';
}

/** A larger state is not kept: ten thousand calls of one session may die together. */
const MAX_STATE_BYTES = 262_144;

const stored = `
  stored AS (
    UPDATE adk_tool_calls t
       SET result = $3::jsonb, status = $4,
           forwarded_epoch = $5, forwarded_at = clock_timestamp()
     WHERE t.dispatch_id = $1 AND t.invocation_id = $2 AND t.result IS NULL AND t.applied_seq IS NULL
       AND ($6::integer IS NULL OR t.attempt <= $6)
    RETURNING t.dispatch_id, t.invocation_id, t.tool, t.pool, t.attempt, t.starts, t.start_deadline, t.begun_by, t.policy)`;

const became = `
  SELECT EXISTS (SELECT 1 FROM stored) AS stored,
         (SELECT t.status FROM adk_tool_calls t WHERE t.dispatch_id = $1 AND t.invocation_id = $2) AS status`;

const statement = { name: 'store-result', text: `WITH ${stored} ${became}` };

const deadStatement = {
  name: 'store-dead-result',
  text: `
  WITH ${stored},
  letter AS (
    INSERT INTO adk_dead_letters (dispatch_id, app_name, user_id, session_id, invocation_id, tool, pool, attempts,
           code, message, context, died_at, started)
    SELECT d.dispatch_id, d.app_name, d.user_id, d.session_id, d.invocation_id, d.tool, d.pool,
           greatest(d.attempt, ($3::jsonb #>> '{execution,attempt}')::integer),
           coalesce($3::jsonb #>> '{outcome,code}', 'tool.dead'), coalesce($3::jsonb #>> '{outcome,message}', ''),
           jsonb_build_object(
             'userContent', d.user_content, 'temp', d.temp,
             'scopes', CASE WHEN octet_length(d.scopes::text) <= ${MAX_STATE_BYTES} THEN d.scopes END),
           clock_timestamp(), ${STARTED}
      FROM (SELECT stored.*, i.app_name, i.user_id, i.session_id, context.*
              FROM stored
              JOIN adk_invocations i ON i.id = stored.invocation_id, LATERAL skein_call_context(i.id) AS context) d,
           (SELECT coalesce($3::jsonb #>> '{outcome,code}', 'tool.dead') AS code, $3::jsonb #>> '{execution,worker}' AS worker,
                   ($3::jsonb #>> '{execution,attempt}')::integer AS attempt) r
    ON CONFLICT DO NOTHING)
  ${became}`,
};
