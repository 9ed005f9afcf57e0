import {
  AdkError,
  type InvocationError,
  type InvocationState,
  type InvocationStatus,
  type ReadInvocation,
} from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/**
 * Where an invocation stands, or one segment of it, with the session's head of the same moment; rejects when the session
 * has no such one.
 */
export async function readInvocation(pool: Pool, request: ReadInvocation): Promise<InvocationState> {
  const { appName, userId, sessionId, invocationId, segment = null } = request;
  const values = [invocationId, appName, userId, sessionId, segment];
  const [row] = await query<InvocationRow>(pool, statement, values);
  if (!row) throw new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`);
  const { segment: at, status, error, last_seq: lastSeq } = row;
  if (segment === null) return { invocationId, segment: at, status, error: error ?? undefined, lastSeq };
  // One that is over is told of as it ended; one that is to come waits for the segments before it.
  if (row.outcome) {
    const { status: endStatus, error: endError } = row.outcome;
    return { invocationId, segment, status: endStatus, error: endError, lastSeq: row.end_seq ?? lastSeq };
  }
  const isToCome = segment > at && isActive(status);
  return { invocationId, segment, status: isToCome ? 'queued' : status, lastSeq };
}

function isActive(status: InvocationStatus): boolean {
  return status === 'queued' || status === 'running';
}

interface InvocationRow {
  readonly segment: number;
  readonly status: InvocationStatus;
  readonly error: InvocationError | null;
  readonly last_seq: number;
  readonly outcome: Pick<InvocationState, 'status' | 'error'> | null;
  readonly end_seq: number | null;
}

const statement = {
  name: 'read-invocation',
  text: `
  SELECT i.segment, i.status, i.error, s.last_seq, d.outcome, d.end_seq
    FROM adk_invocations i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
    JOIN adk_inputs d ON d.invocation_id = i.id AND d.ordinal = coalesce($5, i.segment)
   WHERE i.id = $1 AND i.app_name = $2 AND i.user_id = $3 AND i.session_id = $4`,
};
