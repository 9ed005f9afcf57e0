/** A text's bytes (sqlite-text.ts); NULL stays NULL. */
const bytesOf = (column: string): string => `CAST(${column} AS blob)`;

const OF_APP = '(:apps IS NULL OR app_name IN (SELECT value FROM json_each(:apps)))';

export const apps = `
  SELECT ${bytesOf('app_name')} AS appName
    FROM (SELECT app_name FROM sessions UNION SELECT app_name FROM app_states UNION SELECT app_name FROM user_states)
   ORDER BY app_name`;

export const columns = 'SELECT name, type FROM pragma_table_info(?)';

export const version = `SELECT value FROM adk_internal_metadata WHERE key = 'schema_version'`;

export const counts = `
  SELECT (SELECT count(*) FROM sessions WHERE ${OF_APP}) AS sessions,
         (SELECT count(*) FROM app_states WHERE ${OF_APP}) AS appStates,
         (SELECT count(*) FROM user_states WHERE ${OF_APP}) AS userStates,
         count(s.id) AS events, count(*) - count(s.id) AS orphanEvents
    FROM (SELECT app_name, user_id, session_id FROM events WHERE ${OF_APP}) e
    LEFT JOIN sessions s ON s.app_name = e.app_name AND s.user_id = e.user_id AND s.id = e.session_id`;

export const sessions = `
  SELECT rowid AS place, ${bytesOf('app_name')} AS appName, ${bytesOf('user_id')} AS userId,
         ${bytesOf('id')} AS sessionId, create_time AS created,
         update_time AS updated
    FROM sessions WHERE ${OF_APP}
   ORDER BY app_name, user_id, id`;

export const state = `SELECT ${bytesOf('state')} AS state FROM sessions WHERE rowid = ?`;

/** The order ADK gives them; what it leaves open by their own time, then by rowid: the order they were stored in. */
export const index = `
  SELECT rowid AS place, ${bytesOf('app_name')} AS appName, ${bytesOf('user_id')} AS userId,
         ${bytesOf('session_id')} AS sessionId,
         coalesce(octet_length(event_data), 0) AS bytes
    FROM events WHERE ${OF_APP}
   ORDER BY app_name, user_id, session_id, "timestamp",
         CASE WHEN json_valid(event_data) THEN json_extract(event_data, '$.timestamp') END, rowid`;

export const event = `
  SELECT ${bytesOf('id')} AS id, ${bytesOf('invocation_id')} AS invocationId, "timestamp",
         CASE WHEN octet_length(event_data) <= ?2 THEN ${bytesOf('event_data')} END AS data
    FROM events WHERE rowid = ?1`;

export const states = `
  SELECT ${bytesOf('app_name')} AS appName, NULL AS userId, ${bytesOf('state')} AS state, update_time AS updated
    FROM app_states WHERE ${OF_APP}
  UNION ALL
  SELECT ${bytesOf('app_name')}, ${bytesOf('user_id')}, ${bytesOf('state')}, update_time
    FROM user_states WHERE ${OF_APP}`;
