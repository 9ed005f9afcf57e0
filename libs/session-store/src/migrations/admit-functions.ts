import { POOL_SURPLUS, SCHEDULE_TO_START_MS } from '../pool-defaults';
import { BY_KEY } from './planner';
import { MAX_STEPS } from './pool-users-functions';
import { createShareFunctions, dropShareFunctions } from './share-functions';

/** How long an attempt may stay open from when it is sent: time to be started, and every execution that is left to it. */
const createAllowance = `
CREATE FUNCTION skein_allowance_ms(p_policy jsonb, p_attempt integer)
RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce((p_policy ->> 'scheduleToStartTimeoutMs')::bigint, ${SCHEDULE_TO_START_MS})
         + (p_policy ->> 'timeoutMs')::bigint * greatest(1, (p_policy ->> 'maxAttempts')::bigint - p_attempt + 1)
$$`;

const createLane = `
CREATE FUNCTION skein_lane(p_app text, p_tool text)
RETURNS text
LANGUAGE sql STABLE AS $$ SELECT jsonb_build_array(p_app, p_tool)::text $$`;

/**
 * What each of these tools has room for by its fleet-wide limits, and in how many milliseconds there is more. `left_behind` of
 * a tool are runs that go on in workers although their calls are over: they take places as well. The lanes are
 * locked in the order of their keys; what runs is counted after that, in a statement of its own.
 */
const createRoom = `
CREATE FUNCTION skein_room(p_pool text, p_tools jsonb, p_clock timestamptz, p_limit integer)
RETURNS TABLE (room jsonb, wait_ms double precision)
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
DECLARE
  lane record;
  slots bigint;
  has double precision;
  rate double precision;
BEGIN
  room := '{}';
  FOR lane IN
    SELECT w.app_name, w.tool, w.left_behind, first.policy, first.not_before <= p_clock AS is_due, due.not_before
      FROM jsonb_to_recordset(p_tools) AS w(app_name text, tool text, left_behind integer)
     CROSS JOIN LATERAL (SELECT t.policy, t.not_before FROM adk_tool_calls t
                          WHERE t.status = 'queued' AND t.call_index >= 0 AND t.pool = p_pool
                            AND t.app_name = w.app_name AND t.tool = w.tool
                          ORDER BY t.not_before LIMIT 1) first
      LEFT JOIN LATERAL (SELECT t.not_before FROM adk_tool_calls t
                          WHERE t.status = 'queued' AND t.call_index >= 0 AND t.pool = p_pool
                            AND t.app_name = w.app_name AND t.tool = w.tool AND t.not_before > p_clock
                          ORDER BY t.not_before LIMIT 1) due ON true
     ORDER BY w.app_name COLLATE "C", w.tool COLLATE "C"
  LOOP
    slots := p_limit;
    rate := (lane.policy #>> '{rateLimit,calls}')::float8 / (lane.policy #>> '{rateLimit,perMs}')::float8;
    wait_ms := least(wait_ms, extract(epoch FROM lane.not_before - p_clock) * 1000);
    IF lane.policy ? 'maxConcurrency' OR rate IS NOT NULL THEN
      INSERT INTO adk_tool_lanes (app_name, tool) VALUES (lane.app_name, lane.tool) ON CONFLICT DO NOTHING;
      SELECT coalesce(l.tokens + extract(epoch FROM p_clock - l.refilled_at) * 1000 * rate, 'infinity') INTO has
        FROM adk_tool_lanes l WHERE l.app_name = lane.app_name AND l.tool = lane.tool
         FOR UPDATE;
    END IF;
    IF lane.policy ? 'maxConcurrency' THEN
      slots := least(slots, (lane.policy ->> 'maxConcurrency')::bigint - coalesce(lane.left_behind, 0) -
        (SELECT count(*) FROM adk_tool_calls t
          WHERE t.app_name = lane.app_name AND t.tool = lane.tool AND t.status IN ('dispatched', 'running')
            AND t.policy ? 'maxConcurrency'));
    END IF;
    IF rate IS NOT NULL THEN
      has := least(greatest(has, 0), (lane.policy #>> '{rateLimit,calls}')::float8);
      UPDATE adk_tool_lanes l SET tokens = has, refilled_at = p_clock
       WHERE l.app_name = lane.app_name AND l.tool = lane.tool;
      slots := least(slots, floor(has));
      IF has < 1 THEN
        wait_ms := least(wait_ms, (1 - has) / rate);
      END IF;
    END IF;
    -- Without a call that may go, room for a tool would have every user looked at in vain.
    IF slots > 0 AND lane.is_due THEN
      room := room || jsonb_build_object(skein_lane(lane.app_name, lane.tool), slots);
    END IF;
  END LOOP;
  RETURN NEXT;
END $$`;

/** The call of a user that has waited longest for a tool with room; locked. Nothing when somebody else is at it. */
const createNextCall = `
CREATE FUNCTION skein_next_call(p_pool text, p_priority integer, p_app text, p_user text, p_room jsonb,
                                p_clock timestamptz)
RETURNS TABLE (dispatch_id text, tool text)
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
DECLARE
  wanted text;
BEGIN
  WITH RECURSIVE tools AS (
    (SELECT t.tool, t.not_before FROM adk_tool_calls t
      WHERE t.status = 'queued' AND t.pool = p_pool AND t.priority = p_priority AND t.app_name = p_app
        AND t.user_id = p_user
      ORDER BY t.tool, t.not_before LIMIT 1)
    UNION ALL
    SELECT n.tool, n.not_before
      FROM tools,
           LATERAL (SELECT t.tool, t.not_before FROM adk_tool_calls t
                     WHERE t.status = 'queued' AND t.pool = p_pool AND t.priority = p_priority AND t.app_name = p_app
                       AND t.user_id = p_user AND t.tool > tools.tool
                     ORDER BY t.tool, t.not_before LIMIT 1) n)
  SELECT tools.tool INTO wanted FROM tools
   WHERE tools.not_before <= p_clock AND p_room ? skein_lane(p_app, tools.tool)
   ORDER BY tools.not_before, tools.tool
   LIMIT 1;
  RETURN QUERY
  SELECT t.dispatch_id, t.tool FROM adk_tool_calls t
   WHERE t.status = 'queued' AND t.pool = p_pool AND t.priority = p_priority AND t.app_name = p_app
     AND t.user_id = p_user AND t.tool = wanted AND t.not_before <= p_clock
   ORDER BY t.not_before
   LIMIT 1
     FOR UPDATE SKIP LOCKED;
END $$`;

/** In how many milliseconds the next of these tools has a token again, of those with a call that is due and none left. */
const createNextToken = `
CREATE FUNCTION skein_next_token_ms(p_pool text, p_tools jsonb, p_clock timestamptz)
RETURNS double precision
LANGUAGE sql STABLE ${BY_KEY} AS $$
  SELECT min((1 - l.tokens) * (first.policy #>> '{rateLimit,perMs}')::float8
             / (first.policy #>> '{rateLimit,calls}')::float8)
    FROM jsonb_to_recordset(p_tools) AS w(app_name text, tool text)
    JOIN adk_tool_lanes l ON l.app_name = w.app_name AND l.tool = w.tool
   CROSS JOIN LATERAL (SELECT t.policy, t.not_before FROM adk_tool_calls t
                        WHERE t.status = 'queued' AND t.call_index >= 0 AND t.pool = p_pool
                          AND t.app_name = w.app_name AND t.tool = w.tool
                        ORDER BY t.not_before LIMIT 1) first
   WHERE l.tokens < 1 AND first.policy ? 'rateLimit' AND first.not_before <= p_clock
$$`;

/**
 * Lets waiting calls of one pool go, as far as there is room; the caller sends them. `p_tools` are what calls wait for; of those marked
 * `is_unserved`, which no live worker has, none goes, and who waits for such alone takes nothing of the others' shares.
 * Turns go round the users, the higher priority first; where each stopped is kept, so that a pool with more users than a
 * round looks at serves all of them. Little more than its workers run is under way in a pool: what is in its queue has had
 * its turn, and is served in the order it came. Of what a user has waiting for a tool no more than one row is read a turn. One round of
 * a pool at a time: its row is locked.
 */
const createAdmit = `
CREATE FUNCTION skein_admit(p_pool text, p_tools jsonb, p_capacity integer, p_limit integer)
RETURNS jsonb
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
DECLARE
  clock timestamptz;
  most integer := ceil(p_capacity * ${POOL_SURPLUS});
  free bigint;
  share bigint;
  stopped_at jsonb;
  seen_at jsonb;
  space jsonb;
  pause_ms double precision;
  at_app text;
  at_user text;
  under_way bigint;
  chosen record;
  admitted text[] := '{}';
  found_any boolean;
  has_wrapped boolean;
  steps integer;
  is_cut boolean := false;
  has_looked boolean := false;
  is_held boolean := false;
  lane text;
  has_rate boolean;
  served jsonb := (SELECT coalesce(jsonb_agg(w.tool), '[]') FROM jsonb_array_elements(p_tools) AS w(tool)
                    WHERE NOT coalesce((w.tool ->> 'is_unserved')::boolean, false));
BEGIN
  INSERT INTO adk_tool_pools (pool) VALUES (p_pool) ON CONFLICT DO NOTHING;
  SELECT p.turns, p.seen INTO stopped_at, seen_at FROM adk_tool_pools p WHERE p.pool = p_pool FOR UPDATE;
  clock := date_trunc('milliseconds', clock_timestamp());
  SELECT r.room, r.wait_ms INTO space, pause_ms FROM skein_room(p_pool, served, clock, p_limit) r;
  SELECT most - count(*) INTO free
    FROM (SELECT 1 FROM adk_tool_calls t
           WHERE t.pool = p_pool AND t.status IN ('dispatched', 'running') LIMIT most) o;
  -- Of a full pool nobody gets anything: whoever asked goes by the share it knows.
  IF free > 0 THEN
    SELECT s.p_seen, s.share INTO seen_at, share
      FROM skein_share(p_pool, served, served = p_tools, p_capacity, clock, seen_at) s;
  END IF;

  FOR prio IN 0..2 LOOP
    at_app := coalesce(stopped_at #>> ARRAY[prio::text, '0'], '');
    at_user := coalesce(stopped_at #>> ARRAY[prio::text, '1'], '');
    found_any := false;
    -- Of its own, so that users of one priority who wait for a full lane keep those of the next from nothing.
    steps := 0;
    -- The first pass may begin in the middle: only one from the beginning that finds nothing has seen everybody.
    has_wrapped := at_app = '' AND at_user = '';
    WHILE free > 0 AND space <> '{}' AND cardinality(admitted) < p_limit AND steps < ${MAX_STEPS} LOOP
      steps := steps + 1;
      SELECT t.app_name, t.user_id INTO chosen FROM adk_tool_calls t
       WHERE t.status = 'queued' AND t.pool = p_pool AND t.priority = prio
         AND (t.app_name, t.user_id) > (at_app, at_user)
       ORDER BY t.app_name, t.user_id
       LIMIT 1;
      IF NOT FOUND THEN
        EXIT WHEN has_wrapped AND NOT found_any;
        has_wrapped := true;
        found_any := false;
        at_app := '';
        at_user := '';
        CONTINUE;
      END IF;
      at_app := chosen.app_name;
      at_user := chosen.user_id;
      SELECT count(*) INTO under_way
        FROM (SELECT 1 FROM adk_tool_calls t
               WHERE t.pool = p_pool AND t.app_name = at_app AND t.user_id = at_user
                 AND t.status IN ('dispatched', 'running') LIMIT share) o;
      IF under_way >= share THEN
        is_held := true;
        CONTINUE;
      END IF;
      SELECT n.dispatch_id, n.tool INTO chosen
        FROM skein_next_call(p_pool, prio, at_app, at_user, space, clock) n;
      CONTINUE WHEN NOT FOUND;

      -- sent_at moves: whoever admits a call sends it, and whether it may be unsent is asked from now on.
      UPDATE adk_tool_calls t
         SET status = 'dispatched', sent_at = clock, dispatched_at = clock, confirmed_at = NULL,
             deadline = clock + skein_allowance_ms(t.policy, t.attempt) * interval '1 millisecond'
       WHERE t.dispatch_id = chosen.dispatch_id
      RETURNING t.policy ? 'rateLimit' INTO has_rate;
      IF has_rate THEN
        UPDATE adk_tool_lanes l SET tokens = l.tokens - 1 WHERE l.app_name = at_app AND l.tool = chosen.tool;
      END IF;
      lane := skein_lane(at_app, chosen.tool);
      space := CASE WHEN (space ->> lane)::bigint = 1 THEN space - lane
                    ELSE jsonb_set(space, ARRAY[lane], to_jsonb((space ->> lane)::bigint - 1)) END;
      admitted := admitted || chosen.dispatch_id;
      found_any := true;
      free := free - 1;
    END LOOP;
    stopped_at := jsonb_set(stopped_at, ARRAY[prio::text], jsonb_build_array(at_app, at_user));
    has_looked := has_looked OR steps > 0;
    is_cut := is_cut OR steps >= ${MAX_STEPS};
  END LOOP;
  IF has_looked THEN
    UPDATE adk_tool_pools p SET turns = stopped_at, seen = seen_at WHERE p.pool = p_pool;
  END IF;
  IF cardinality(admitted) > 0 THEN
    pause_ms := least(pause_ms, skein_next_token_ms(p_pool, served, clock));
  END IF;
  RETURN jsonb_build_object('admitted', to_jsonb(admitted), 'share', share, 'waitMs', ceil(pause_ms),
                            'hasMore', cardinality(admitted) >= p_limit OR is_cut,
                            'isHeld', is_held OR free <= 0 AND space <> '{}');
END $$`;

export const createAdmitFunctions = [
  createAllowance,
  createLane,
  ...createShareFunctions,
  createRoom,
  createNextCall,
  createNextToken,
  createAdmit,
];

export const dropAdmitFunctions = [
  'DROP FUNCTION skein_admit(text, jsonb, integer, integer)',
  'DROP FUNCTION skein_next_token_ms(text, jsonb, timestamptz)',
  'DROP FUNCTION skein_next_call(text, integer, text, text, jsonb, timestamptz)',
  'DROP FUNCTION skein_room(text, jsonb, timestamptz, integer)',
  ...dropShareFunctions,
  'DROP FUNCTION skein_lane(text, text)',
  'DROP FUNCTION skein_allowance_ms(jsonb, integer)',
];
