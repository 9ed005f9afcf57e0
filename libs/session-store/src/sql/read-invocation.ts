import {
  AdkError,
  type InvocationError,
  type InvocationState,
  type InvocationStatus,
  type ReadInvocation,
} from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** Where an invocation stands, with the session's head of the same moment; rejects when the session has no such one. */
export async function readInvocation(pool: Pool, request: ReadInvocation): Promise<InvocationState> {
  const { appName, userId, sessionId, invocationId } = request;
  const [row] = await query<InvocationRow>(pool, statement, [invocationId, appName, userId, sessionId]);
  if (!row) throw new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`);
  return {
    invocationId,
    status: row.status,
    error: row.error ?? undefined,
    lastSeq: row.last_seq,
  };
}

interface InvocationRow {
  readonly status: InvocationStatus;
  readonly error: InvocationError | null;
  readonly last_seq: number;
}

const statement = {
  name: 'read-invocation',
  text: `
  SELECT i.status, i.error, s.last_seq
    FROM adk_invocations i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
   WHERE i.id = $1 AND i.app_name = $2 AND i.user_id = $3 AND i.session_id = $4`,
};
