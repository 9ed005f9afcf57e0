import { type Handover, type InvocationInput, type OpenCall, type StepRecord } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';
import { readEvents } from './read-events';

/** One claim: who holds which invocation, under which epoch. */
export interface HeldClaim {
  readonly invocationId: string;
  readonly runnerId: string;
  readonly epoch: number;
}

/** A claimed invocation, and how long it waited for that, in milliseconds by the database's clock. */
export interface ClaimedRun {
  readonly handover: Handover;
  readonly waitedMs: number;
}

/**
 * A running invocation as its owner gets it: the state its segment began with, and all that was stored since. Absent
 * when that claim is not the present one (any more).
 */
export async function readHandover(pool: Pool, claim: HeldClaim): Promise<ClaimedRun | undefined> {
  const { invocationId, runnerId, epoch } = claim;
  const [row] = await query<HandoverRow>(pool, statement, [invocationId, runnerId, epoch]);
  if (!row) return undefined;
  const key = { appName: row.app_name, userId: row.user_id, sessionId: row.session_id };
  const handover = {
    ...key,
    invocationId,
    sessionUid: row.uid,
    epoch: row.epoch,
    attempt: row.attempt,
    segment: row.segment,
    input: toInput(row),
    baseSeq: row.base_seq,
    lastSeq: row.last_seq,
    sessionState: row.base_state.session,
    appState: row.base_state.app,
    userState: row.base_state.user,
    fromSeq: row.from_seq,
    events:
      row.from_seq >= row.last_seq
        ? []
        : await readEvents(pool, { ...key, afterSeq: row.from_seq, untilSeq: row.last_seq }),
    records: row.records ?? [],
    openCalls: row.open_calls ?? [],
    lastUpdateTime: row.updated_seconds,
    ...tracesOf(row),
  };
  return { handover, waitedMs: row.waited_ms };
}

/** As members of a handover. */
export function tracesOf(row: TraceColumns): Pick<Handover, 'traceparent' | 'askedTraceparent'> {
  return {
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
    ...(row.asked_traceparent !== null && { askedTraceparent: row.asked_traceparent }),
  };
}

interface TraceColumns {
  readonly traceparent: string | null;
  readonly asked_traceparent: string | null;
}

function toInput(row: HandoverRow): InvocationInput {
  return {
    ordinal: row.segment,
    newMessage: row.message ?? undefined,
    stateDelta: row.state_delta ?? undefined,
    runConfig: row.run_config,
    functionCallEventId: row.function_call_event_id ?? undefined,
  };
}

type Json = Record<string, unknown>;

interface HandoverRow extends TraceColumns {
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly uid: string;
  readonly epoch: number;
  readonly attempt: number;
  readonly segment: number;
  readonly base_seq: number;
  readonly last_seq: number;
  readonly from_seq: number;
  readonly base_state: { readonly session: Json; readonly app: Json; readonly user: Json };
  readonly message: InvocationInput['newMessage'] | null;
  readonly state_delta: Json | null;
  readonly run_config: InvocationInput['runConfig'];
  readonly function_call_event_id: string | null;
  readonly records: StepRecord[] | null;
  readonly open_calls: OpenCall[] | null;
  readonly updated_seconds: number;
  readonly waited_ms: number;
}

const statement = {
  name: 'read-handover',
  text: `
  SELECT i.app_name, i.user_id, i.session_id, s.uid, i.epoch, i.attempt, i.segment, i.base_seq, s.last_seq, i.from_seq,
         i.base_state, i.traceparent, d.message, d.state_delta, d.run_config, d.function_call_event_id,
         extract(epoch FROM s.updated_at)::float8 AS updated_seconds,
         (SELECT a.traceparent FROM adk_inputs a
           WHERE a.invocation_id = i.id AND a.ordinal = i.segment - 1) AS asked_traceparent,
         -- A sweep that points to it again sets queued_at anew.
         extract(epoch FROM clock_timestamp() - CASE WHEN i.segment = 0 AND i.attempt = 1 AND i.base_seq = s.last_seq
                                                     THEN i.inserted_at ELSE i.queued_at END)::float8 * 1000 AS waited_ms,
         (SELECT jsonb_agg(jsonb_build_object('stepKey', j.step_key, 'kind', j.kind, 'payload', j.payload)
                          || CASE WHEN j.hash IS NULL THEN '{}' ELSE jsonb_build_object('hash', j.hash) END)
            FROM adk_journal j WHERE j.invocation_id = i.id) AS records,
         (SELECT jsonb_agg(jsonb_build_object('dispatchId', t.dispatch_id)
                          || CASE WHEN t.result IS NULL THEN '{}' ELSE jsonb_build_object('result', t.result) END)
            FROM adk_tool_calls t WHERE t.invocation_id = i.id AND t.applied_seq IS NULL) AS open_calls
    FROM adk_invocations i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
    JOIN adk_inputs d ON d.invocation_id = i.id AND d.ordinal = i.segment
   WHERE i.id = $1 AND i.owner = $2 AND i.epoch = $3 AND i.status = 'running'`,
};
