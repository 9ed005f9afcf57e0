import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { givenUp } from '../given-up';
import { mintTicket } from '../ticket';
import { query } from './query';

/** Open calls past their deadline, each as the error result it ends with. */
export async function readOverdueCalls(
  pool: Pool,
  secret: string,
  limit = 200,
): Promise<ToolResultMessage[]> {
  const rows = await query<OverdueRow>(pool, statement, [limit]);
  return rows.map((row) => {
    const { dispatch_id: dispatchId, tool, attempt, deadline_ms: deadlineMs } = row;
    const call = {
      appName: row.app_name,
      userId: row.user_id,
      sessionId: row.session_id,
      invocationId: row.invocation_id,
      tool,
      ticket: mintTicket(secret, tool, { dispatchId, attempt, deadlineMs }),
    };
    return givenUp(call, {
      code: 'tool.deadline',
      message: `Tool ${tool} gave no result before its deadline.`,
    });
  });
}

interface OverdueRow {
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly invocation_id: string;
  readonly dispatch_id: string;
  readonly tool: string;
  readonly attempt: number;
  readonly deadline_ms: number;
}

const statement = {
  name: 'read-overdue-calls',
  text: `
  SELECT i.app_name, i.user_id, i.session_id, t.invocation_id, t.dispatch_id, t.tool, t.attempt,
         (extract(epoch FROM t.deadline) * 1000)::bigint AS deadline_ms
    FROM adk_invocations i
    JOIN adk_tool_calls t ON t.invocation_id = i.id
   WHERE i.status IN ('queued', 'running') AND t.status IN ('dispatched', 'running')
     AND t.result IS NULL AND t.applied_seq IS NULL AND t.deadline < clock_timestamp()
   ORDER BY t.deadline
   LIMIT $1`,
};
