import { type Pool } from 'pg';
import { query } from './query';

/** What is to be done in all sessions together. */
export interface WorkInHand {
  readonly queued: number;
  readonly running: number;
  /** For how long the invocation has waited that was queued first; 0 when none is queued. */
  readonly oldestQueuedSeconds: number;
}

/** Reads the index of what is queued or running, which is as small as that. */
export async function measureWork(pool: Pool): Promise<WorkInHand> {
  const [row] = await query<WorkRow>(pool, statement, []);
  return {
    queued: row?.queued ?? 0,
    running: row?.running ?? 0,
    oldestQueuedSeconds: Math.max(0, row?.oldest_queued_seconds ?? 0),
  };
}

interface WorkRow {
  readonly queued: number;
  readonly running: number;
  readonly oldest_queued_seconds: number | null;
}

const statement = {
  name: 'measure-work',
  text: `
  SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
         count(*) FILTER (WHERE status = 'running') AS running,
         extract(epoch FROM clock_timestamp() - min(queued_at) FILTER (WHERE status = 'queued'))::float8
           AS oldest_queued_seconds
    FROM adk_invocations
   WHERE status IN ('queued', 'running')`,
};
