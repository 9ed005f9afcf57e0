import { POOL_SURPLUS } from '../pool-defaults';
import { createPoolUsersFunctions, dropPoolUsersFunctions } from './pool-users-functions';
import { BY_KEY } from './planner';

/** How long a place is kept for a user whose calls have all ended: those who call one tool at a time are back by then. */
const KEPT_MS = 5_000;

/**
 * How many calls one user may have under way in a pool, so that whoever comes finds room and nothing is kept that nobody uses. All
 * who have calls there get the same; who wants less than that leaves the rest to those who want more. Beside others these have
 * what the workers run at once, and none of the surplus: it would lie before the calls of the others. A place is kept for
 * each who was there a moment ago, up to the size of the surplus: else whoever waits takes it, and a user who calls one tool
 * after the other finds the pool full each time. `p_seen` is when each was there, in milliseconds.
 */
const createShare = `
CREATE FUNCTION skein_share(p_pool text, p_served jsonb, p_all_served boolean, p_capacity integer, p_clock timestamptz,
                            INOUT p_seen jsonb, OUT share bigint)
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  -- What may be under way in all, with what lies ready in the pool's queue.
  most integer := ceil(p_capacity * ${POOL_SURPLUS});
  now_ms bigint := extract(epoch FROM p_clock) * 1000;
  apps text[];
  names text[];
  users integer;
  present jsonb;
  lately jsonb;
  kept integer;
  modest integer;
  taken integer;
BEGIN
  SELECT array_agg(u.app_name), array_agg(u.user_id), count(*) INTO apps, names, users
    FROM (SELECT s.app_name, s.user_id FROM skein_pool_users(p_pool, most) s WHERE p_all_served
           UNION ALL
          SELECT s.app_name, s.user_id FROM skein_served_users(p_pool, p_served, most) s WHERE NOT p_all_served) u;
  -- One for each, whoever else was there: nothing is kept, and nothing has to be remembered.
  IF users >= most THEN
    share := 1;
    RETURN;
  END IF;
  SELECT coalesce(jsonb_object_agg(skein_lane(u.app_name, u.user_id), now_ms), '{}') INTO present
    FROM unnest(apps, names) u(app_name, user_id);
  SELECT coalesce(jsonb_object_agg(s.key, s.value), '{}'), count(*) INTO lately, kept
    FROM (SELECT s.key, s.value FROM jsonb_each(p_seen) s
           -- What a clock that went back has left in the future says nothing.
           WHERE s.value::bigint > now_ms - ${KEPT_MS} AND s.value::bigint <= now_ms AND NOT present ? s.key
           ORDER BY s.value::bigint DESC LIMIT most - p_capacity) s;
  p_seen := present || lately;
  share := greatest(1, ceil((CASE WHEN kept > 0 THEN p_capacity - kept ELSE most END)::float8 / greatest(1, users)));
  IF share > 1 AND users > 1 THEN
    -- Who wants less than an equal part, and what these want together.
    SELECT count(*), sum(wanted.n) INTO modest, taken
      FROM unnest(apps, names) u(app_name, user_id),
           LATERAL (SELECT count(*) AS n
                      FROM (SELECT 1 FROM adk_tool_calls t
                             WHERE t.pool = p_pool AND t.app_name = u.app_name AND t.user_id = u.user_id
                               AND t.status IN ('dispatched', 'running')
                             UNION ALL
                            SELECT 1 FROM generate_series(0, 2) AS p(priority),
                                   LATERAL (SELECT 1 FROM adk_tool_calls t
                                             WHERE t.status = 'queued' AND t.pool = p_pool AND t.priority = p.priority
                                               AND t.app_name = u.app_name AND t.user_id = u.user_id
                                             LIMIT share) q
                             LIMIT share) o) wanted
     WHERE wanted.n < share;
    IF modest BETWEEN 1 AND users - 1 THEN
      share := greatest(share, ceil((p_capacity - kept - taken)::float8 / (users - modest)));
    END IF;
  END IF;
END $$`;

export const createShareFunctions = [...createPoolUsersFunctions, createShare];

export const dropShareFunctions = [
  'DROP FUNCTION skein_share(text, jsonb, boolean, integer, timestamptz, jsonb)',
  ...dropPoolUsersFunctions,
];
