import { type CallRow, type Content, type ToolCallMessage } from '@skein/contracts';
import { mergeState } from '@skein/engine';
import { mintTicket } from '../ticket';

/** The message of a stored call, with a ticket for the attempt it is at. */
export function toCallMessage(row: CallMessageRow, secret: string): ToolCallMessage {
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
    ...(row.returned > 0 && { returned: row.returned }),
    // Only calls of the same turn can have stored something since, so this is the state the call was made in, or later.
    state: { ...mergeState(row.scopes), ...row.temp },
    ...(row.user_content && { userContent: row.user_content }),
  };
}

type Json = Record<string, unknown>;

/** What `CALL_MESSAGE` reads. */
export interface CallMessageRow {
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
  readonly returned: number;
  readonly traceparent: string | null;
  readonly user_content: Content | null;
  /** `temp:` keys as the run has set them so far: they are in its journal alone. */
  readonly temp: Json | null;
  readonly scopes: { readonly session: Json; readonly app: Json; readonly user: Json };
}

/** Columns of a call's message, for an `adk_invocations i`, a call `adk_tool_calls t` of it and its `context`. */
export const CALL_MESSAGE = `
         i.app_name, i.user_id, i.session_id, t.invocation_id, t.dispatch_id, t.step_key,
         t.call_index, t.call_id, t.agent_name, t.tool, t.pool, t.args, t.policy, t.confirmation, t.attempt, t.returned,
         i.traceparent,
         (extract(epoch FROM t.deadline) * 1000)::bigint AS deadline_ms,
         context.user_content, context.scopes, context.temp`;

/** `context` for calls of these invocations, which a query answers: read once for each, as one may have hundreds of calls. */
export function contextOf(invocationIds: string): string {
  return `context AS MATERIALIZED (
    SELECT run.invocation_id, c.*
      FROM (${invocationIds}) AS run(invocation_id), LATERAL skein_call_context(run.invocation_id) AS c)`;
}
