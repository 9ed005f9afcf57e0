import { type Pool } from 'pg';
import { query } from './query';

/**
 * Takes back how far sessions are published, after the stream of events was lost: to where the segment under way began,
 * or to the oldest event of the last ten minutes, whichever is earlier. Only sessions at work or at rest for less than
 * ten minutes; who wants older events reads them here, as after the week the stream keeps them. Answers how many.
 */
export async function rewindPublished(pool: Pool): Promise<number> {
  const [row] = await query<{ rewound: number }>(pool, statement, []);
  return row?.rewound ?? 0;
}

const statement = {
  name: 'rewind-published',
  // Locked in the order of the keys, as a batch of appends locks them.
  text: `
  WITH recent AS (
    SELECT i.app_name, i.user_id, i.session_id,
           min(i.base_seq) FILTER (WHERE i.status IN ('queued', 'running')) AS base_seq
      FROM adk_invocations i
     WHERE i.status IN ('queued', 'running')
        OR i.stopped_at IS NOT NULL AND i.stopped_at > clock_timestamp() - interval '10 minutes'
     GROUP BY i.app_name, i.user_id, i.session_id),
  session AS (
    SELECT s.app_name, s.user_id, s.id, r.base_seq
      FROM recent r
      JOIN adk_sessions s ON s.app_name = r.app_name AND s.user_id = r.user_id AND s.id = r.session_id
     ORDER BY s.app_name, s.user_id, s.id
       FOR NO KEY UPDATE OF s),
  rewound AS (
    UPDATE adk_sessions s SET published_seq = t.seq
      FROM session, LATERAL (
        SELECT least(session.base_seq, min(e.seq) - 1) AS seq FROM adk_events e
         WHERE e.app_name = session.app_name AND e.user_id = session.user_id AND e.session_id = session.id
           AND e."timestamp" > clock_timestamp() - interval '10 minutes') t
     WHERE s.app_name = session.app_name AND s.user_id = session.user_id AND s.id = session.id
       AND t.seq < s.published_seq
    RETURNING 1)
  SELECT count(*)::int AS rewound FROM rewound`,
};
