import { AdkError, type Redrive, type ToolCallMessage } from '@skein/contracts';
import { mergeState } from '@skein/engine';
import { type Pool } from 'pg';
import { SCHEDULE_TO_START_MS } from '../pool-defaults';
import { mintRedriveTicket } from '../ticket';
import { DEAD_LETTER_DETAILS, type DeadLetterDetailsRow } from './dead-letter-columns';
import { inspectDeadLetter } from './inspect-dead-letter';
import { query } from './query';

/** A redrive whose message the stream may not have yet. */
export interface UnsentRedrive {
  readonly message: ToolCallMessage;
}

/**
 * Begins a redrive: the call's next attempt, one of its own, under a deadline of its own. From then on it waits for its turn
 * as every call does, under its tool's limits and its user's share; answers the pool it waits in. Of many who ask at once one
 * is answered, the others are refused; so is everybody while the run that made the call may still read what the call came to.
 */
export async function redriveDeadLetter(pool: Pool, { isForced, ...key }: Redrive): Promise<string> {
  const [row] = await query<{ pool: string }>(pool, statement, [key.appName, key.dispatchId, isForced]);
  if (row) return row.pool;
  const { status, policy, result } = await inspectDeadLetter(pool, key);
  throw refusal(key.dispatchId, {
    status,
    isOnce: policy.sideEffect === 'once' && !isForced,
    isDone: !!result,
  });
}

/** Redrives among the calls that were just admitted, to be sent; whose letter is open again since are missing. */
export async function readAdmittedRedrives(
  pool: Pool,
  secret: string,
  dispatchIds: readonly string[],
): Promise<UnsentRedrive[]> {
  const rows = await query<RedrivenRow>(pool, admittedStatement, [dispatchIds]);
  return rows.map((row) => toUnsent(row, secret));
}

/** Redrives admitted that long ago whose message is not known to be in the stream: their sender failed, or died. */
export async function readUnsentRedrives(
  pool: Pool,
  secret: string,
  graceMs: number,
): Promise<UnsentRedrive[]> {
  const rows = await query<RedrivenRow>(pool, unsentStatement, [graceMs]);
  return rows.map((row) => toUnsent(row, secret));
}

/** Notes that the stream has the message; not of a redrive that was given back since, which is sent anew. */
export async function confirmRedriven(pool: Pool, { message }: UnsentRedrive): Promise<void> {
  const { ticket, returned = 0 } = message;
  await query(pool, confirmStatement, [ticket.dispatchId, ticket.attempt, returned]);
}

interface RedrivenRow extends DeadLetterDetailsRow {
  readonly step_key: string;
  readonly call_index: number;
  readonly deadline_ms: number;
  readonly returned: number;
  /** As it is now: what is read where the state of the call was too large to be kept. */
  readonly scopes: NonNullable<DeadLetterDetailsRow['context']['scopes']>;
}

function toUnsent(row: RedrivenRow, secret: string): UnsentRedrive {
  const { dispatch_id: dispatchId, attempts: attempt, tool, context } = row;
  const message: ToolCallMessage = {
    appName: row.app_name,
    userId: row.user_id,
    sessionId: row.session_id,
    invocationId: row.invocation_id,
    call: {
      dispatchId,
      stepKey: row.step_key,
      index: row.call_index,
      callId: row.call_id,
      agentName: row.agent_name,
      tool,
      pool: row.pool,
      args: row.args,
      // Its attempts are spent: a redrive is one more, and no worker begins another.
      policy: { ...row.policy, maxAttempts: attempt },
      ...(row.confirmation && { confirmation: row.confirmation }),
    },
    ticket: mintRedriveTicket(secret, tool, { dispatchId, attempt, deadlineMs: row.deadline_ms }),
    ...(row.returned > 0 && { returned: row.returned }),
    state: { ...mergeState(context.scopes ?? row.scopes), ...context.temp },
    ...(context.userContent && { userContent: context.userContent }),
  };
  return { message };
}

interface Standing {
  readonly status: string;
  readonly isOnce: boolean;
  readonly isDone: boolean;
}

function refusal(dispatchId: string, { status, isOnce, isDone }: Standing): AdkError {
  const refused = (code: string, why: string): AdkError =>
    new AdkError('conflict', code, `Call ${dispatchId} ${why}`);
  if (status === 'discarded') return refused('dead-letter.discarded', 'was discarded.');
  if (status === 'redriven')
    return isDone
      ? refused('dead-letter.redriven', 'was sent again, and has its result.')
      : refused('dead-letter.under-way', 'was sent again already, and is under way.');
  if (isOnce)
    return refused(
      'dead-letter.may-have-run',
      'may run once only, and may have taken effect: force it to send it again.',
    );
  return refused(
    'dead-letter.unanswered',
    'is still waited for by its run: send it again once that has read the error.',
  );
}

const MESSAGE_COLUMNS = `${DEAD_LETTER_DETAILS}, t.step_key, t.call_index, d.returned,
  (extract(epoch FROM d.deadline) * 1000)::bigint AS deadline_ms,
  (SELECT skein_scopes(s.app_name, s.user_id, s.state) FROM adk_sessions s
    WHERE s.app_name = d.app_name AND s.user_id = d.user_id AND s.id = d.session_id) AS scopes`;

const statement = {
  name: 'redrive-dead-letter',
  // The call's own row keeps its result, by which everything else knows that no run waits for it.
  text: `
  WITH redriven AS (
    UPDATE adk_dead_letters d
       SET status = 'redriven', attempts = d.attempts + 1, redriven_at = clock_timestamp(), confirmed_at = NULL,
           begun_message = NULL, begun_by = NULL, returned = 0,
           deadline = date_trunc('milliseconds', clock_timestamp())
                      + ((t.policy ->> 'timeoutMs')::bigint + ${SCHEDULE_TO_START_MS}) * interval '1 millisecond'
      FROM adk_tool_calls t
      JOIN adk_invocations i ON i.id = t.invocation_id
     WHERE d.app_name = $1 AND d.dispatch_id = $2 AND t.dispatch_id = d.dispatch_id AND d.status = 'open'
       AND (t.applied_seq IS NOT NULL OR i.status NOT IN ('queued', 'running'))
       AND ($3::boolean OR t.policy ->> 'sideEffect' <> 'once')
    RETURNING d.dispatch_id, d.attempts, d.app_name, d.user_id)
  UPDATE adk_tool_calls t
     SET status = 'queued', attempt = r.attempts, app_name = r.app_name, user_id = r.user_id,
         not_before = date_trunc('milliseconds', clock_timestamp()), start_deadline = NULL, confirmed_at = NULL, missed = 0
    FROM redriven r
   WHERE t.dispatch_id = r.dispatch_id
  RETURNING t.pool`,
};

const REDRIVEN = `
    FROM adk_dead_letters d
    JOIN adk_tool_calls t ON t.dispatch_id = d.dispatch_id
   WHERE d.status = 'redriven' AND d.result IS NULL AND t.status = 'dispatched'`;

const admittedStatement = {
  name: 'read-admitted-redrives',
  text: `SELECT ${MESSAGE_COLUMNS} ${REDRIVEN} AND d.dispatch_id = ANY ($1)`,
};

const unsentStatement = {
  name: 'read-unsent-redrives',
  text: `
  SELECT ${MESSAGE_COLUMNS} ${REDRIVEN} AND d.confirmed_at IS NULL
     AND t.sent_at < clock_timestamp() - $1::bigint * interval '1 millisecond'
   ORDER BY t.sent_at
   LIMIT 100`,
};

const confirmStatement = {
  name: 'confirm-redriven',
  text: `
  UPDATE adk_dead_letters SET confirmed_at = clock_timestamp()
   WHERE dispatch_id = $1 AND attempts = $2 AND returned = $3 AND status = 'redriven'`,
};
