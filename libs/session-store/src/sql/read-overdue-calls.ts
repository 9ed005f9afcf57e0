import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { givenUp } from '../given-up';
import { mintTicket } from '../ticket';
import { type DueOptions, type DuePage, readDue, toDuePage } from './due-page';
import { query } from './query';

const PAGE = 200;

/** Sent calls past their deadline that somebody waits for, each as the error result it ends with; a page at a time. */
export async function readOverdueCalls(
  pool: Pool,
  secret: string,
  { after, limit = PAGE }: DueOptions = {},
): Promise<DuePage<ToolResultMessage>> {
  const values = [limit, after?.dueAt ?? null, after?.dispatchId ?? null];
  const rows = await query<OverdueRow>(pool, statement, values);
  return toDuePage(rows, limit, (row) => {
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
  readonly due_at: string;
  readonly is_live: boolean;
}

const statement = {
  name: 'read-overdue-calls',
  text: readDue('deadline', `'dispatched', 'running'`),
};
