import { type SourceTables } from '../schema-check';

export interface Statements {
  readonly counts: string;
  readonly sessions: string;
  readonly state: string;
  readonly index: string;
  readonly events: string;
  readonly states: string;
}

const OF_APP = '($1::text[] IS NULL OR app_name = ANY ($1))';

export const apps = `
  SELECT app_name AS "appName" FROM sessions UNION SELECT app_name FROM app_states
  UNION SELECT app_name FROM user_states ORDER BY 1`;

/**
 * What is asked of a database with these columns: adk-python's older tables keep times without a zone (in UTC, as ADK reads
 * them back), a copy from another database may keep numbers or JSON in text.
 */
export function statementsFor(tables: SourceTables): Statements {
  const seconds = (table: string, column: string): string =>
    secondsOf(`"${column}"`, tables.get(table)?.get(column) ?? '');
  const isJson = /^jsonb?$/.test(tables.get('events')?.get('event_data') ?? '');
  // The order ADK gives them; what it leaves open by their own time, then by where they lie: the order they were stored in.
  const ownTime = isJson
    ? `, (CASE WHEN event_data ->> 'timestamp' ~ '${NUMBER}' THEN (event_data ->> 'timestamp')::float8 END)`
    : '';
  return {
    counts: `
      SELECT (SELECT count(*) FROM sessions WHERE ${OF_APP}) AS sessions,
             (SELECT count(*) FROM app_states WHERE ${OF_APP}) AS "appStates",
             (SELECT count(*) FROM user_states WHERE ${OF_APP}) AS "userStates",
             count(s.id) AS events, count(*) - count(s.id) AS "orphanEvents"
        FROM (SELECT * FROM events WHERE ${OF_APP}) e
        LEFT JOIN sessions s ON s.app_name = e.app_name AND s.user_id = e.user_id AND s.id = e.session_id`,
    sessions: `
      SELECT app_name AS "appName", user_id AS "userId", id AS "sessionId",
             ${seconds('sessions', 'create_time')} AS "createdSeconds",
             ${seconds('sessions', 'update_time')} AS "updatedSeconds"
        FROM sessions WHERE ${OF_APP}
       ORDER BY app_name COLLATE "C", user_id COLLATE "C", id COLLATE "C"`,
    state: 'SELECT state::text AS state FROM sessions WHERE app_name = $1 AND user_id = $2 AND id = $3',
    index: `
      SELECT app_name AS "appName", user_id AS "userId", session_id AS "sessionId", id AS place,
             coalesce(octet_length(event_data::text), 0) AS bytes
        FROM events WHERE ${OF_APP}
       ORDER BY app_name COLLATE "C", user_id COLLATE "C", session_id COLLATE "C", "timestamp"${ownTime}, ctid`,
    events: `
      SELECT id, invocation_id AS "invocationId", ${seconds('events', 'timestamp')} AS seconds,
             CASE WHEN octet_length(event_data::text) <= $5 THEN event_data::text END AS data
        FROM events WHERE app_name = $1 AND user_id = $2 AND session_id = $3 AND id = ANY ($4::text[])`,
    states: `
      SELECT app_name AS "appName", NULL AS "userId", state::text AS state,
             ${seconds('app_states', 'update_time')} AS "updatedSeconds"
        FROM app_states WHERE ${OF_APP}
      UNION ALL
      SELECT app_name, user_id, state::text, ${seconds('user_states', 'update_time')}
        FROM user_states WHERE ${OF_APP}`,
  };
}

const NUMBER = String.raw`^[0-9]+(\.[0-9]+)?$`;

function secondsOf(column: string, type: string): string {
  if (type.startsWith('timestamp')) return `extract(epoch FROM ${column})::float8`;
  if (!/^(smallint|integer|bigint|real|double precision|numeric)$/.test(type)) {
    const number = `(CASE WHEN ${column}::text ~ '${NUMBER}' THEN ${column}::text::float8 END)`;
    return `(CASE WHEN ${number} > 1e11 THEN ${number} / 1000 ELSE ${number} END)`;
  }
  return `(CASE WHEN ${column}::float8 > 1e11 THEN ${column}::float8 / 1000 ELSE ${column}::float8 END)`;
}
