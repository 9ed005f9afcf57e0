import { type CallRow, type Content, type ToolCallMessage } from '@skein/contracts';
import { mergeState } from '@skein/engine';
import { type Pool } from 'pg';
import { mintTicket } from '../ticket';
import { query } from './query';

export interface UnsentOptions {
  readonly secret: string;
  /** How long a call's owner is given to send it, or its worker to answer. */
  readonly graceMs: number;
  /** Calls sent longer ago are sent again: the stream that held them may have been lost since. */
  readonly sentMoreThanMsAgo?: number | undefined;
  readonly limit?: number;
}

export interface UnsentCall {
  readonly message: ToolCallMessage;
  /** When this was read, by the database's clock in milliseconds: the earliest moment its sending can have begun. */
  readonly readAtMs: number;
  /** When the results before it were lost, in milliseconds: its message is then wanted a second time. */
  readonly resultsLostAtMs: number | undefined;
  /** The trace of the request the call's run belongs to. */
  readonly traceparent: string | undefined;
}

/**
 * Open calls whose message may never have reached its stream (their owner failed to publish it, or died before it could)
 * or may be lost with it. Nothing tells which these are, so after the grace each is named until one sending of ours is
 * confirmed. The attempt stays the same: within the stream's two minutes the message's id makes a second one a no-op, and
 * a call that runs for longer was confirmed long before, so it is not started twice. One that may run once only is begun
 * under this lib's eyes: once it is, it is not named any more.
 */
export async function readUnsentCalls(pool: Pool, options: UnsentOptions): Promise<UnsentCall[]> {
  const { secret, graceMs, sentMoreThanMsAgo = null, limit = 200 } = options;
  const rows = await query<UnsentRow>(pool, statement, [graceMs, sentMoreThanMsAgo, limit]);
  return rows.map((row) => ({
    message: toMessage(row, secret),
    readAtMs: row.read_ms,
    resultsLostAtMs: row.lost_ms ?? undefined,
    traceparent: row.traceparent ?? undefined,
  }));
}

/** Notes that the stream has the call's message: after its PubAck, so that a sender that dies before leaves it unsent. */
export async function confirmSent(pool: Pool, { message: { call }, readAtMs }: UnsentCall): Promise<void> {
  await query(pool, confirmStatement, [call.dispatchId, readAtMs]);
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
      ...(row.confirmation && { confirmation: row.confirmation }),
    },
    ticket: mintTicket(secret, row.tool, {
      dispatchId: row.dispatch_id,
      attempt: row.attempt,
      deadlineMs: row.deadline_ms,
    }),
    // Only calls of the same turn can have stored something since, so this is the state the call was made in, or later.
    state: { ...mergeState(row.scopes), ...row.temp },
    ...(row.user_content && { userContent: row.user_content }),
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
  readonly confirmation: CallRow['confirmation'] | null;
  readonly attempt: number;
  readonly deadline_ms: number;
  readonly read_ms: number;
  readonly lost_ms: number | null;
  readonly traceparent: string | null;
  readonly user_content: Content | null;
  /** `temp:` keys as the run has set them so far: they are in its journal alone. */
  readonly temp: Json | null;
  readonly scopes: { readonly session: Json; readonly app: Json; readonly user: Json };
}

const statement = {
  name: 'read-unsent-calls',
  text: `
  SELECT i.app_name, i.user_id, i.session_id, t.invocation_id, t.dispatch_id, t.step_key,
         t.call_index, t.call_id, t.agent_name, t.tool, t.pool, t.args, t.policy, t.confirmation, t.attempt,
         i.traceparent,
         (extract(epoch FROM t.deadline) * 1000)::bigint AS deadline_ms,
         (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS read_ms,
         CASE WHEN results.seen_at > tools.seen_at AND sent.at < results.seen_at
              THEN (extract(epoch FROM results.seen_at) * 1000)::bigint END AS lost_ms,
         (SELECT e.content FROM adk_events e
           WHERE e.app_name = i.app_name AND e.user_id = i.user_id AND e.session_id = i.session_id
             AND e.invocation_id = i.id AND e.author = 'user' AND e.content IS NOT NULL
           ORDER BY e.seq DESC LIMIT 1) AS user_content,
         skein_scopes(s.app_name, s.user_id, s.state) AS scopes,
         (SELECT jsonb_object_agg(kept.key, kept.value ORDER BY e.seq)
            FROM adk_journal j
            JOIN adk_events e ON e.invocation_id = j.invocation_id AND e.step_key = j.step_key
           CROSS JOIN jsonb_each(j.payload) AS kept
           WHERE j.invocation_id = i.id AND j.kind = 'temp') AS temp
    FROM adk_invocations i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
    JOIN adk_tool_calls t ON t.invocation_id = i.id
    LEFT JOIN adk_streams tools ON tools.name = 'TOOLS'
    LEFT JOIN adk_streams results ON results.name = 'RESULTS',
    LATERAL (SELECT coalesce(t.confirmed_at, t.sent_at) AS at) sent
   WHERE i.status = 'running' AND t.status = 'dispatched' AND t.result IS NULL AND t.applied_seq IS NULL
     AND t.deadline > clock_timestamp()
     AND (t.confirmed_at IS NULL AND t.sent_at < clock_timestamp() - $1::bigint * interval '1 millisecond'
          OR sent.at < clock_timestamp() - $2::bigint * interval '1 millisecond'
          OR sent.at < greatest(tools.seen_at, results.seen_at))
   ORDER BY t.sent_at
   LIMIT $3`,
};

const confirmStatement = {
  name: 'confirm-sent',
  text: `
  UPDATE adk_tool_calls
     SET confirmed_at = greatest(confirmed_at, to_timestamp($2::float8 / 1000))
   WHERE dispatch_id = $1`,
};
