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
 * sessions that are at work or left a run in the last ten minutes (its end, or its wait for somebody), or, with
 * `everywhere`, at all of them. Gives them in pages: what was found stays to be found until it is noted as published.
 * `pageSize` bounds what one statement gives, and with `everywhere` how many sessions it reads: of all the sessions there
 * are hardly any is left unpublished, so a page of those would read the whole table.
 */
export async function* findUnpublished(
  pool: Pool,
  { everywhere, pageSize = 500 }: { readonly everywhere: boolean; readonly pageSize?: number },
): AsyncGenerator<UnpublishedSession[], void> {
  const statement = everywhere ? everywhereStatement : recentStatement;
  for (let after = { appName: '', userId: '', sessionId: '' }; ;) {
    const values = [pageSize, after.appName, after.userId, after.sessionId];
    const rows = await query<UnpublishedRow>(pool, statement, values);
    const page = rows.filter((row) => row.is_left).map(toUnpublished);
    if (page.length > 0) yield page;
    const last = rows.at(-1);
    if (!last) return;
    after = toUnpublished(last).key;
  }
}

function toUnpublished(row: UnpublishedRow): UnpublishedSession {
  return {
    key: { appName: row.app_name, userId: row.user_id, sessionId: row.id },
    sessionUid: row.uid,
    publishedSeq: row.published_seq,
    lastSeq: row.last_seq,
  };
}

interface UnpublishedRow {
  readonly app_name: string;
  readonly user_id: string;
  readonly id: string;
  readonly uid: string;
  readonly published_seq: number;
  readonly last_seq: number;
  /** Or else it is only the last one that was looked at. */
  readonly is_left: boolean;
}

const COLUMNS = 's.app_name, s.user_id, s.id, s.uid, s.published_seq, s.last_seq';
const IS_LEFT = `s.published_seq < s.last_seq AND s.updated_at < clock_timestamp() - interval '2 seconds'`;
const PAGE = `(s.app_name, s.user_id, s.id) > ($2, $3, $4) ORDER BY s.app_name, s.user_id, s.id LIMIT $1`;

// Not indexed on purpose: an index on what every append changes would cost each of them an entry.
const recentStatement = {
  name: 'find-unpublished-recent',
  text: `
  SELECT DISTINCT ${COLUMNS}, true AS is_left
    FROM (SELECT app_name, user_id, session_id FROM adk_invocations WHERE status IN ('queued', 'running')
          UNION ALL
          SELECT app_name, user_id, session_id FROM adk_invocations
           WHERE stopped_at IS NOT NULL AND stopped_at > clock_timestamp() - interval '10 minutes') i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
   WHERE ${IS_LEFT} AND ${PAGE}`,
};

const everywhereStatement = {
  name: 'find-unpublished-everywhere',
  text: `
  SELECT * FROM (
    SELECT ${COLUMNS}, ${IS_LEFT} AS is_left,
           row_number() OVER (ORDER BY s.app_name, s.user_id, s.id) = $1 AS is_last
      FROM (SELECT s.* FROM adk_sessions s WHERE ${PAGE}) s) examined
   WHERE is_left OR is_last
   ORDER BY app_name, user_id, id`,
};
