import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { mintTicket } from '../ticket';
import { query } from './query';

/** A call somebody waits for, as far as ending it takes. */
export interface CallToEnd extends Omit<ToolResultMessage, 'outcome' | 'actions' | 'execution'> {
  readonly pool: string;
}

/** Reads one open call; nothing of one that is over, or was never stored here. */
export async function readOpenCall(
  pool: Pool,
  secret: string,
  dispatchId: string,
): Promise<CallToEnd | undefined> {
  const [row] = await query<OpenRow>(pool, statement, [dispatchId]);
  if (!row) return undefined;
  const { appName, userId, sessionId, invocationId, tool, attempt, deadlineMs } = row;
  const ticket = mintTicket(secret, tool, { dispatchId, attempt, deadlineMs });
  return { appName, userId, sessionId, invocationId, tool, pool: row.pool, ticket };
}

interface OpenRow {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly invocationId: string;
  readonly tool: string;
  readonly pool: string;
  readonly attempt: number;
  readonly deadlineMs: number;
}

const statement = {
  name: 'read-open-call',
  text: `
  SELECT i.app_name AS "appName", i.user_id AS "userId", i.session_id AS "sessionId", i.id AS "invocationId",
         t.tool, t.pool, t.attempt, (extract(epoch FROM t.deadline) * 1000)::bigint AS "deadlineMs"
    FROM adk_tool_calls t JOIN adk_invocations i ON i.id = t.invocation_id
   WHERE t.dispatch_id = $1 AND t.result IS NULL AND t.applied_seq IS NULL
     AND t.status IN ('dispatched', 'running')`,
};
