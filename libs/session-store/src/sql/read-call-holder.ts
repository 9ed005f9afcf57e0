import { type SessionKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** Whose a call is, and whether anybody waits for it. */
export interface CallHolder extends SessionKey {
  readonly invocationId: string;
  readonly pool: string;
  /** The one whose ticket was issued last. */
  readonly attempt: number;
  /** No result is stored, and its response event is not; or somebody sent it again since, and that is under way. */
  readonly isOpen: boolean;
  /** The deadline in the ticket that left before the call was stored, where one did. */
  readonly aheadDeadlineMs: number | null;
  /** The database's clock, by which deadlines are made. */
  readonly nowMs: number;
}

/** Reads whose a call is; nothing of a call that was never stored here, or went with its session. */
export async function readCallHolder(pool: Pool, dispatchId: string): Promise<CallHolder | undefined> {
  const [row] = await query<CallHolder>(pool, statement, [dispatchId]);
  return row;
}

const statement = {
  name: 'read-call-holder',
  text: `
  SELECT i.app_name AS "appName", i.user_id AS "userId", i.session_id AS "sessionId", i.id AS "invocationId", t.pool,
         coalesce(d.attempts, t.attempt) AS attempt,
         t.result IS NULL AND t.applied_seq IS NULL OR d.dispatch_id IS NOT NULL AS "isOpen",
         (t.policy ->> 'aheadDeadlineMs')::float8 AS "aheadDeadlineMs",
         (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "nowMs"
    FROM adk_tool_calls t JOIN adk_invocations i ON i.id = t.invocation_id
    LEFT JOIN adk_dead_letters d
      ON d.dispatch_id = t.dispatch_id AND d.status = 'redriven' AND d.result IS NULL
   WHERE t.dispatch_id = $1`,
};
