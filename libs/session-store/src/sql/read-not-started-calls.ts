import { type ToolResultMessage } from '@skein/contracts';
import { type Pool } from 'pg';
import { mintTicket } from '../ticket';
import { type DueOptions, type DuePage, readDue, toDuePage } from './due-page';
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

const PAGE = 200;

/**
 * Calls past the time by which they had to begin, a page at a time; those that are known to have begun are not among them.
 * One that may run once is `running` from then on, of any other it is noted.
 */
export async function readNotStartedCalls(
  pool: Pool,
  secret: string,
  { after, limit = PAGE }: DueOptions = {},
): Promise<DuePage<NotStartedCall>> {
  const values = [limit, after?.dueAt ?? null, after?.dispatchId ?? null];
  const rows = await query<NotStartedRow>(pool, statement, values);
  return toDuePage(rows, limit, (row) => {
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
  readonly due_at: string;
  readonly is_live: boolean;
}

const statement = {
  name: 'read-not-started-calls',
  text: readDue('start_deadline', `'queued', 'dispatched'`),
};
