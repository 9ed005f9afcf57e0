import { type CallRow, type ToolCallMessage } from '@skein/contracts';
import { mergeState } from '@skein/engine';
import { type Pool } from 'pg';
import { mintTicket } from '../ticket';
import { query } from './query';

export interface UnsentOptions {
  readonly secret: string;
  /** Calls sent longer ago are sent again: the stream that held them may have been lost since. */
  readonly sentMoreThanMsAgo?: number | undefined;
  readonly limit?: number;
}

/**
 * Open calls whose message may never have been sent, or may be lost: those last sent under an earlier owner than the
 * present one, who may have died between commit and publish, and those older than their stream. Each is named once per
 * owner. The attempt stays the same, so where the message is in the stream after all, its id makes the second a no-op.
 */
export async function takeUnsentCalls(pool: Pool, options: UnsentOptions): Promise<ToolCallMessage[]> {
  const rows = await query<UnsentRow>(pool, statement, [
    options.sentMoreThanMsAgo ?? null,
    options.limit ?? 200,
  ]);
  return rows.map((row) => toMessage(row, options.secret));
}

function toMessage(row: UnsentRow, secret: string): ToolCallMessage {
  return {
    appName: row.app_name,
    userId: row.user_id,
    sessionId: row.session_id,
    invocationId: row.invocation_id,
    call: {
      dispatchId: row.dispatch_id,
      stepKey: row.step_key,
      index: row.call_index,
      callId: row.call_id,
      agentName: row.agent_name,
      tool: row.tool,
      pool: row.pool,
      args: row.args,
      policy: row.policy,
    },
    ticket: mintTicket(secret, row.tool, {
      dispatchId: row.dispatch_id,
      attempt: row.attempt,
      deadlineMs: row.deadline_ms,
    }),
    // Only calls of the same turn can have stored something since, so this is the state the call was made in, or later.
    state: mergeState(row.scopes),
  };
}

type Json = Record<string, unknown>;

interface UnsentRow {
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly invocation_id: string;
  readonly dispatch_id: string;
  readonly step_key: string;
  readonly call_index: number;
  readonly call_id: string;
  readonly agent_name: string;
  readonly tool: string;
  readonly pool: string;
  readonly args: Json;
  readonly policy: CallRow['policy'];
  readonly attempt: number;
  readonly deadline_ms: number;
  readonly scopes: { readonly session: Json; readonly app: Json; readonly user: Json };
}

const statement = {
  name: 'take-unsent-calls',
  text: `
  WITH unsent AS (
    SELECT t.dispatch_id, i.epoch, i.app_name, i.user_id, i.session_id
      FROM adk_invocations i
      JOIN adk_tool_calls t ON t.invocation_id = i.id
     WHERE i.status IN ('queued', 'running') AND i.status = 'running'
       AND t.status = 'dispatched' AND t.result IS NULL AND t.applied_seq IS NULL
       AND (t.sent_epoch < i.epoch OR t.sent_at < clock_timestamp() - $1::bigint * interval '1 millisecond')
       -- Past the stream's window a repeat would run; what must run once then waits for its deadline instead.
       AND (t.policy ->> 'sideEffect' <> 'once' OR t.sent_at > clock_timestamp() - interval '100 seconds')
     ORDER BY t.dispatch_id
     LIMIT $2
       FOR NO KEY UPDATE OF t SKIP LOCKED)
  UPDATE adk_tool_calls t
     SET sent_epoch = unsent.epoch, sent_at = clock_timestamp()
    FROM unsent
    JOIN adk_sessions s
      ON s.app_name = unsent.app_name AND s.user_id = unsent.user_id AND s.id = unsent.session_id
   WHERE t.dispatch_id = unsent.dispatch_id
  RETURNING unsent.app_name, unsent.user_id, unsent.session_id, t.invocation_id, t.dispatch_id, t.step_key,
            t.call_index, t.call_id, t.agent_name, t.tool, t.pool, t.args, t.policy, t.attempt,
            (extract(epoch FROM t.deadline) * 1000)::bigint AS deadline_ms,
            skein_scopes(unsent.app_name, unsent.user_id, s.state) AS scopes`,
};
