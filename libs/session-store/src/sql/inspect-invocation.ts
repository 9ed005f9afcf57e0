import {
  AdkError,
  type InspectedInvocation,
  type InspectInvocation,
  type InvocationDetails,
  type InvocationError,
  type InvocationStatus,
  type SegmentState,
} from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** One invocation with its segments, and the session's head of the same moment; rejects when the session has no such one. */
export async function inspectInvocation(
  pool: Pool,
  request: InspectInvocation,
): Promise<InspectedInvocation> {
  const { appName, userId, sessionId, invocationId } = request;
  const [row] = await query<InspectRow>(pool, statement, [appName, userId, sessionId, invocationId]);
  if (!row) throw new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`);
  return { ...toDetails(row), sessionUid: row.uid, lastSeq: row.last_seq };
}

export interface DetailsRow {
  readonly id: string;
  readonly status: InvocationStatus;
  readonly error: InvocationError | null;
  readonly segment: number;
  readonly attempt: number;
  readonly created: number;
  readonly stopped: number | null;
  readonly cancel_requested: number | null;
  readonly inputs: readonly InputRow[];
}

interface InputRow {
  readonly ordinal: number;
  readonly after_seq: number;
  readonly end_seq: number | null;
  readonly outcome: Pick<SegmentState, 'status' | 'error'> | null;
}

interface InspectRow extends DetailsRow {
  readonly uid: string;
  readonly last_seq: number;
}

export function toDetails(row: DetailsRow): InvocationDetails {
  return {
    invocationId: row.id,
    status: row.status,
    error: row.error ?? undefined,
    segment: row.segment,
    segments: row.inputs.map((input) => toSegment(row, input)),
    attempt: row.attempt,
    createTime: row.created,
    stopTime: row.stopped ?? undefined,
    cancelRequestTime: row.cancel_requested ?? undefined,
  };
}

/** One that is over is told of as it ended; one that is to come waits for the segments before it. */
function toSegment(row: DetailsRow, { ordinal, outcome, after_seq, end_seq }: InputRow): SegmentState {
  const status = outcome?.status ?? (ordinal > row.segment ? 'queued' : row.status);
  const error = outcome?.error;
  return { segment: ordinal, status, error, afterSeq: after_seq, endSeq: end_seq ?? undefined };
}

/** Of `adk_invocations i`, as a DetailsRow. */
export const DETAILS_COLUMNS = `
  i.id, i.status, i.error, i.segment, i.attempt,
  extract(epoch FROM i.inserted_at)::float8 AS created,
  extract(epoch FROM i.stopped_at)::float8 AS stopped,
  extract(epoch FROM i.cancel_requested_at)::float8 AS cancel_requested,
  (SELECT jsonb_agg(jsonb_build_object('ordinal', d.ordinal, 'after_seq', d.after_seq, 'end_seq', d.end_seq,
                                       'outcome', d.outcome) ORDER BY d.ordinal)
     FROM adk_inputs d WHERE d.invocation_id = i.id) AS inputs`;

const statement = {
  name: 'inspect-invocation',
  text: `
  SELECT ${DETAILS_COLUMNS}, s.uid, s.last_seq
    FROM adk_invocations i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
   WHERE i.app_name = $1 AND i.user_id = $2 AND i.session_id = $3 AND i.id = $4`,
};
