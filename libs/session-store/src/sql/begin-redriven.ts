import { type BeginTool, type BegunTool } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** As `beginTool`, for the redrive of a call that may run once: its own row is over, its letter says who runs it. */
export async function beginRedriven(pool: Pool, { ticket, message, handler }: BeginTool): Promise<BegunTool> {
  const values = [ticket.dispatchId, ticket.attempt, message, handler];
  const [row] = await query<BegunRow>(pool, statement, values);
  if (!row?.is_open) return { verdict: 'over' };
  if (row.has_begun) return { verdict: 'run' };
  return { verdict: row.begun_message === message ? 'lost' : 'taken' };
}

interface BegunRow {
  readonly has_begun: boolean;
  readonly is_open: boolean;
  readonly begun_message: string | null;
}

const IS_OPEN = `d.status = 'redriven' AND d.result IS NULL AND d.deadline > clock_timestamp()`;

const statement = {
  name: 'begin-redriven',
  text: `
  WITH begun AS (
    UPDATE adk_dead_letters d
       SET begun_message = $3, begun_by = $4
     WHERE d.dispatch_id = $1 AND d.attempts = $2 AND ${IS_OPEN}
       AND (d.begun_by IS NULL OR d.begun_by = $4)
    RETURNING d.dispatch_id)
  SELECT EXISTS (SELECT 1 FROM begun) AS has_begun, ${IS_OPEN} AS is_open, d.begun_message
    FROM adk_dead_letters d
   WHERE d.dispatch_id = $1 AND d.attempts = $2`,
};
