import { BY_KEY } from './planner';

/** Look-ups of one round for each priority: more users than that are served by the rounds after it. */
export const MAX_STEPS = 2_000;

/** Users looked at for each one that is counted. */
const LOOKS = 4;

/** The users with calls of a pool under way: one look-up a user. */
const UNDER_WAY = `under_way AS (
    SELECT ''::text COLLATE "C" AS app_name, ''::text COLLATE "C" AS user_id, 0 AS n
    UNION ALL
    SELECT u.app_name, u.user_id, w.n + 1
      FROM under_way w,
           LATERAL (SELECT t.app_name, t.user_id FROM adk_tool_calls t
                     WHERE t.status IN ('dispatched', 'running') AND t.pool = p_pool
                       AND (t.app_name, t.user_id) > (w.app_name, w.user_id)
                     ORDER BY t.app_name, t.user_id LIMIT 1) u
     WHERE w.n < p_max)`;

/** The users who have calls of a pool that wait or are under way, p_max of each at most: one look-up a user. */
const createPoolUsers = `
CREATE FUNCTION skein_pool_users(p_pool text, p_max integer)
RETURNS TABLE (app_name text, user_id text)
LANGUAGE sql STABLE ${BY_KEY} AS $$
  WITH RECURSIVE waiting AS (
    SELECT p.priority::smallint AS priority, ''::text COLLATE "C" AS app_name, ''::text COLLATE "C" AS user_id, 0 AS n
      FROM generate_series(0, 2) AS p(priority)
    UNION ALL
    SELECT w.priority, u.app_name, u.user_id, w.n + 1
      FROM waiting w,
           LATERAL (SELECT t.app_name, t.user_id FROM adk_tool_calls t
                     WHERE t.status = 'queued' AND t.pool = p_pool AND t.priority = w.priority
                       AND (t.app_name, t.user_id) > (w.app_name, w.user_id)
                     ORDER BY t.app_name, t.user_id LIMIT 1) u
     WHERE w.n < p_max),
  ${UNDER_WAY}
  SELECT w.app_name, w.user_id FROM waiting w WHERE w.n > 0
   UNION SELECT w.app_name, w.user_id FROM under_way w WHERE w.n > 0
$$`;

/**
 * As skein_pool_users, where some tools that calls wait for have nobody who serves them: who waits for such alone has no use
 * for a share. `p_tools` are the others. Looks at a few times p_max users of a priority: where more wait in vain, who is
 * served behind them is counted from their first call under way on.
 */
const createServedUsers = `
CREATE FUNCTION skein_served_users(p_pool text, p_tools jsonb, p_max integer)
RETURNS TABLE (app_name text, user_id text)
LANGUAGE sql STABLE ${BY_KEY} AS $$
  WITH RECURSIVE waiting AS (
    SELECT p.priority::smallint AS priority, ''::text COLLATE "C" AS app_name, ''::text COLLATE "C" AS user_id,
           0 AS n, 0 AS looks, false AS is_served
      FROM generate_series(0, 2) AS p(priority)
    UNION ALL
    SELECT w.priority, u.app_name, u.user_id, w.n + u.is_served::integer, w.looks + 1, u.is_served
      FROM waiting w,
           LATERAL (SELECT t.app_name, t.user_id FROM adk_tool_calls t
                     WHERE t.status = 'queued' AND t.pool = p_pool AND t.priority = w.priority
                       AND (t.app_name, t.user_id) > (w.app_name, w.user_id)
                     ORDER BY t.app_name, t.user_id LIMIT 1) next,
           LATERAL (SELECT next.app_name, next.user_id, EXISTS (
                      SELECT 1 FROM jsonb_to_recordset(p_tools) AS s(app_name text, tool text)
                       WHERE s.app_name = next.app_name
                         AND EXISTS (SELECT 1 FROM adk_tool_calls t
                                      WHERE t.status = 'queued' AND t.pool = p_pool AND t.priority = w.priority
                                        AND t.app_name = next.app_name AND t.user_id = next.user_id
                                        AND t.tool = s.tool)) AS is_served) u
     WHERE w.n < p_max AND w.looks < least(${MAX_STEPS}, ${LOOKS} * p_max)),
  ${UNDER_WAY}
  SELECT w.app_name, w.user_id FROM waiting w WHERE w.is_served
   UNION SELECT w.app_name, w.user_id FROM under_way w WHERE w.n > 0
$$`;

export const createPoolUsersFunctions = [createPoolUsers, createServedUsers];

export const dropPoolUsersFunctions = [
  'DROP FUNCTION skein_served_users(text, jsonb, integer)',
  'DROP FUNCTION skein_pool_users(text, integer)',
];
