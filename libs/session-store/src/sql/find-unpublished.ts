import { type SessionKey } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

export interface UnpublishedSession {
  readonly key: SessionKey;
  readonly sessionUid: string;
  readonly publishedSeq: number;
  readonly lastSeq: number;
}

/**
 * Sessions with stored events that nobody has published for two seconds. Looks where a crash can have left some: at
 * sessions that are at work or ended a run in the last ten minutes, or, with `everywhere`, at all of them.
 */
export async function findUnpublished(
  pool: Pool,
  everywhere: boolean,
  limit = 200,
): Promise<UnpublishedSession[]> {
  const rows = await query<UnpublishedRow>(pool, everywhere ? everywhereStatement : recentStatement, [limit]);
  return rows.map((row) => ({
    key: { appName: row.app_name, userId: row.user_id, sessionId: row.id },
    sessionUid: row.uid,
    publishedSeq: row.published_seq,
    lastSeq: row.last_seq,
  }));
}

interface UnpublishedRow {
  readonly app_name: string;
  readonly user_id: string;
  readonly id: string;
  readonly uid: string;
  readonly published_seq: number;
  readonly last_seq: number;
}

const COLUMNS = 's.app_name, s.user_id, s.id, s.uid, s.published_seq, s.last_seq';
const IS_LEFT = `s.published_seq < s.last_seq AND s.updated_at < clock_timestamp() - interval '2 seconds'`;

// Not indexed on purpose: an index on what every append changes would cost each of them an entry.
const recentStatement = {
  name: 'find-unpublished-recent',
  text: `
  SELECT DISTINCT ${COLUMNS}
    FROM (SELECT app_name, user_id, session_id FROM adk_invocations WHERE status IN ('queued', 'running')
          UNION ALL
          SELECT app_name, user_id, session_id FROM adk_invocations
           WHERE finished_at IS NOT NULL AND finished_at > clock_timestamp() - interval '10 minutes') i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
   WHERE ${IS_LEFT}
   LIMIT $1`,
};

const everywhereStatement = {
  name: 'find-unpublished-everywhere',
  text: `SELECT ${COLUMNS} FROM adk_sessions s WHERE ${IS_LEFT} LIMIT $1`,
};
