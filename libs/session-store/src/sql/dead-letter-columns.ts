import {
  type CallRow,
  type Content,
  type DeadLetter,
  type DeadLetterDetails,
  type DeadLetterStatus,
  type ToolResultMessage,
} from '@skein/contracts';
import { mergeState } from '@skein/engine';

type Json = Record<string, unknown>;

export interface DeadLetterRow {
  readonly dispatch_id: string;
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly invocation_id: string;
  readonly agent_name: string;
  readonly call_id: string;
  readonly tool: string;
  readonly pool: string;
  readonly attempts: number;
  readonly started: number | null;
  readonly code: string;
  readonly message: string;
  readonly status: DeadLetterStatus;
  readonly died_at_micros: number;
  readonly redriven: number | null;
}

export interface DeadLetterDetailsRow extends DeadLetterRow {
  readonly args: Json;
  readonly policy: CallRow['policy'];
  readonly confirmation: CallRow['confirmation'] | null;
  readonly context: {
    readonly userContent: Content | null;
    readonly temp: Json | null;
    readonly scopes: { readonly session: Json; readonly app: Json; readonly user: Json } | null;
  };
  readonly result: ToolResultMessage | null;
}

/** Of `adk_dead_letters d` and its `adk_tool_calls t`, as a DeadLetterRow. */
export const DEAD_LETTER_COLUMNS = `
  d.dispatch_id, d.app_name, d.user_id, d.session_id, d.invocation_id, t.agent_name, t.call_id, d.tool, d.pool,
  d.attempts, d.started, d.code, d.message, d.status, (extract(epoch FROM d.died_at) * 1000000)::bigint AS died_at_micros,
  extract(epoch FROM d.redriven_at)::float8 AS redriven`;

/** And what a DeadLetterDetailsRow has beside it. */
export const DEAD_LETTER_DETAILS = `${DEAD_LETTER_COLUMNS},
  t.args, t.policy, t.confirmation, d.context, d.result`;

export function toDeadLetter(row: DeadLetterRow): DeadLetter {
  return {
    appName: row.app_name,
    userId: row.user_id,
    sessionId: row.session_id,
    dispatchId: row.dispatch_id,
    invocationId: row.invocation_id,
    agentName: row.agent_name,
    callId: row.call_id,
    tool: row.tool,
    pool: row.pool,
    attempts: row.attempts,
    ...(row.started !== null && { started: row.started }),
    code: row.code,
    message: row.message,
    status: row.status,
    dieTime: row.died_at_micros / 1e6,
    redriveTime: row.redriven ?? undefined,
  };
}

export function toDeadLetterDetails(row: DeadLetterDetailsRow): DeadLetterDetails {
  const { context, result } = row;
  return {
    ...toDeadLetter(row),
    args: row.args,
    policy: row.policy,
    ...(row.confirmation && { confirmation: row.confirmation }),
    ...(context.scopes && { state: { ...mergeState(context.scopes), ...context.temp } }),
    ...(context.userContent && { userContent: context.userContent }),
    ...(result && {
      result: { outcome: result.outcome, actions: result.actions, execution: result.execution },
    }),
  };
}
