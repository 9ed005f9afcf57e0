import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { mintTicket } from '../ticket';
import { query } from './query';

/** An open call that no worker began in time, as far as the database knows. */
export interface NotStartedCall {
  readonly call: Pick<
    ToolResultMessage,
    'appName' | 'userId' | 'sessionId' | 'invocationId' | 'tool' | 'ticket'
  >;
  readonly pool: string;
  /** It still waits for its turn; else it was sent, and a worker may be at it. */
  readonly isWaiting: boolean;
}

/**
 * Calls past the time by which they had to begin; those that are known to have begun are not among them. One that may run
 * once is `running` from then on, of any other it is noted.
 */
export async function readNotStartedCalls(
  pool: Pool,
  secret: string,
  limit = 200,
): Promise<NotStartedCall[]> {
  const rows = await query<NotStartedRow>(pool, statement, [limit]);
  return rows.map((row) => {
    const { dispatch_id: dispatchId, tool, attempt, deadline_ms: deadlineMs } = row;
    return {
      call: {
        appName: row.app_name,
        userId: row.user_id,
        sessionId: row.session_id,
        invocationId: row.invocation_id,
        tool,
        ticket: mintTicket(secret, tool, { dispatchId, attempt, deadlineMs }),
      },
      pool: row.pool,
      isWaiting: row.is_waiting,
    };
  });
}

interface NotStartedRow {
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly invocation_id: string;
  readonly dispatch_id: string;
  readonly tool: string;
  readonly pool: string;
  readonly attempt: number;
  readonly deadline_ms: number;
  readonly is_waiting: boolean;
}

const statement = {
  name: 'read-not-started-calls',
  text: `
  SELECT i.app_name, i.user_id, i.session_id, t.invocation_id, t.dispatch_id, t.tool, t.pool, t.attempt,
         (extract(epoch FROM t.deadline) * 1000)::bigint AS deadline_ms, t.status = 'queued' AS is_waiting
    FROM adk_invocations i
    JOIN adk_tool_calls t ON t.invocation_id = i.id
   WHERE i.status IN ('queued', 'running') AND t.status IN ('queued', 'dispatched')
     AND t.result IS NULL AND t.applied_seq IS NULL AND t.start_deadline < clock_timestamp()
   ORDER BY t.status DESC, t.start_deadline
   LIMIT $1`,
};
