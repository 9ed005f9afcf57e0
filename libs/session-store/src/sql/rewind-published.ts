import { type Pool } from 'pg';
import { query } from './query';

/**
 * Takes back how far sessions are published, after the stream of events was lost: to where the segment under way began,
 * or to the last event that is older than ten minutes, whichever is earlier. Only sessions at work or at rest for less than
 * ten minutes; who wants older events reads them here, as after the week the stream keeps them. Answers how many. Each
 * page of `pageSize` sessions is a transaction of its own, so that no append waits for all of them.
 */
export async function rewindPublished(pool: Pool, pageSize = 200): Promise<number> {
  let rewound = 0;
  for (let after = ['', '', '']; ;) {
    const [page] = await query<PageRow>(pool, statement, [pageSize, ...after]);
    if (!page) return rewound;
    rewound += page.rewound;
    after = [page.app_name, page.user_id, page.session_id];
  }
}

/** What was done, and the last session it was done to. */
interface PageRow {
  readonly rewound: number;
  readonly app_name: string;
  readonly user_id: string;
  readonly session_id: string;
}

const statement = {
  name: 'rewind-published',
  // Locked in the order of the keys, as a batch of appends locks them. Read from the newest event back to the first old
  // one: the log before that may be long. What is published is read under the lock, as it is after those it waited for.
  text: `
  WITH recent AS (
    SELECT i.app_name, i.user_id, i.session_id,
           min(i.base_seq) FILTER (WHERE i.status IN ('queued', 'running')) AS base_seq
      FROM adk_invocations i
     WHERE (i.status IN ('queued', 'running')
            OR i.stopped_at IS NOT NULL AND i.stopped_at > clock_timestamp() - interval '10 minutes')
       AND (i.app_name, i.user_id, i.session_id) > ($2, $3, $4)
     GROUP BY i.app_name, i.user_id, i.session_id
     ORDER BY i.app_name, i.user_id, i.session_id
     LIMIT $1),
  session AS (
    SELECT s.app_name, s.user_id, s.id, s.published_seq, r.base_seq
      FROM recent r
      JOIN adk_sessions s ON s.app_name = r.app_name AND s.user_id = r.user_id AND s.id = r.session_id
     ORDER BY s.app_name, s.user_id, s.id
       FOR NO KEY UPDATE OF s),
  rewound AS (
    UPDATE adk_sessions s SET published_seq = t.seq
      FROM session, LATERAL (
        SELECT least(session.base_seq, coalesce((
          SELECT e.seq FROM adk_events e
           WHERE e.app_name = session.app_name AND e.user_id = session.user_id AND e.session_id = session.id
             AND e."timestamp" <= clock_timestamp() - interval '10 minutes'
           ORDER BY e.seq DESC
           LIMIT 1), 0)) AS seq) t
     WHERE s.app_name = session.app_name AND s.user_id = session.user_id AND s.id = session.id
       AND t.seq < session.published_seq
    RETURNING 1)
  SELECT (SELECT count(*)::int FROM rewound) AS rewound, r.app_name, r.user_id, r.session_id
    FROM recent r
   ORDER BY r.app_name DESC, r.user_id DESC, r.session_id DESC
   LIMIT 1`,
};
