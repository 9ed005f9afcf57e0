import { type SessionKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

export interface StaleQueued {
  readonly invocationId: string;
  readonly key: SessionKey;
  /** Of its last claim; 0 when it never was. */
  readonly epoch: number;
}

/**
 * Queued invocations that are the next of their session and have waited longer than `olderThanMs` since they were
 * queued or last named here. Naming one marks it, so that several sweepers do not all send a pointer to it. One that stood
 * in no line, because it was behind others of its session, does from now on.
 */
export async function touchStaleQueued(pool: Pool, olderThanMs: number, limit = 200): Promise<StaleQueued[]> {
  const rows = await query<StaleRow>(pool, statement, [olderThanMs, limit]);
  return rows.map((row) => ({
    invocationId: row.id,
    epoch: row.epoch,
    key: { appName: row.app_name, userId: row.user_id, sessionId: row.session_id },
  }));
}

interface StaleRow {
  readonly id: string;
  readonly epoch: number;
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
}

const statement = {
  name: 'touch-stale-queued',
  text: `
  UPDATE adk_invocations i
     SET queued_at = clock_timestamp(), turn = coalesce(i.turn, skein_turn(i.app_name, i.user_id))
   WHERE i.id IN (
     SELECT q.id FROM adk_invocations q
      WHERE q.status = 'queued'
        AND q.queued_at < clock_timestamp() - $1::bigint * interval '1 millisecond'
        AND NOT EXISTS (
          SELECT 1 FROM adk_invocations b
           WHERE b.app_name = q.app_name AND b.user_id = q.user_id AND b.session_id = q.session_id
             AND b.status IN ('queued', 'running') AND (b.queue_no < q.queue_no OR b.status = 'running'))
      ORDER BY q.id
      LIMIT $2
        FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING i.id, i.epoch, i.app_name, i.user_id, i.session_id`,
};
