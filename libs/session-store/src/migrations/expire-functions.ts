import { NO_ACTIONS } from './no-actions';
import { BY_KEY } from './planner';

/** What the invocation that is closed has stored. */
const OF_IT = 'skein_events_of(session.app_name, session.user_id, session.id, p_invocation)';

/**
 * Stores the end of a segment that is given up (p_status is dead) or cancelled, as its runner would have: every function
 * call nobody answered gets an error response beside the call (its author, its branch), or the session's next model
 * request would be refused for the dangling call; then one event says that the run is over. The caller holds the lock of
 * the session row. Answers the session's new head.
 */
const createCloseSegment = `
CREATE FUNCTION skein_close_segment(p_invocation text, p_status text, p_message text)
RETURNS bigint
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  session adk_sessions%ROWTYPE;
  at integer;
  has_begun boolean;
  clock timestamptz := date_trunc('milliseconds', clock_timestamp());
  head bigint;
  said bigint;
  answered jsonb;
  no_actions jsonb := ${NO_ACTIONS};
BEGIN
  SELECT s.* INTO session
    FROM adk_invocations i JOIN adk_sessions s
      ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
   WHERE i.id = p_invocation;
  SELECT i.segment, i.base_seq IS NOT NULL INTO at, has_begun FROM adk_invocations i WHERE i.id = p_invocation;

  -- A segment that never stored a step has not stored what the user said either. That was accepted, so it is kept; but
  -- not what was taken back before any runner had it, which would stand in the middle of the run it waited for. A
  -- credential the user gave is stored in no event (security: B65).
  INSERT INTO adk_events (app_name, user_id, session_id, id, seq, invocation_id, author, content, actions, step_key,
                          "timestamp")
  SELECT session.app_name, session.user_id, session.id, gen_random_uuid()::text, session.last_seq + 1, p_invocation,
         'user', '{"role": "user"}'::jsonb || d.message, no_actions, at || '/user.0', clock
    FROM adk_inputs d
   WHERE has_begun AND d.invocation_id = p_invocation AND d.ordinal = at AND d.message IS NOT NULL
     AND NOT d.message @? '$.parts[*].functionResponse ? (@.name == "adk_request_credential")'
     AND NOT EXISTS (SELECT 1 FROM ${OF_IT} e WHERE starts_with(e.step_key, at || '/'));
  GET DIAGNOSTICS said = ROW_COUNT;
  session.last_seq := session.last_seq + said;

  -- Which ids were answered, and where last: found once, because an invocation may have thousands of calls.
  SELECT coalesce(jsonb_object_agg(a.id, a.seq), '{}') INTO answered
    FROM (SELECT q.id #>> '{}' AS id, max(r.seq) AS seq
            FROM ${OF_IT} r,
                 jsonb_path_query(r.content, '$.parts[*].functionResponse.id') AS q(id)
           GROUP BY 1) a
   WHERE a.id IS NOT NULL;

  -- Calls of long-running tools are left open when a run is given up: somebody outside may still answer them.
  INSERT INTO adk_events (app_name, user_id, session_id, id, seq, invocation_id, author, branch, content, actions,
                          step_key, custom_metadata, "timestamp")
  SELECT session.app_name, session.user_id, session.id, gen_random_uuid()::text,
         session.last_seq + row_number() OVER (ORDER BY a.seq), p_invocation, a.author, a.branch,
         jsonb_build_object('role', 'user', 'parts', a.parts), no_actions, at || '/' || p_status,
         '{"skein.closedCalls": true}', clock
    FROM (
      SELECT e.seq, e.author, e.branch,
             jsonb_agg(jsonb_build_object('functionResponse', jsonb_build_object(
               'id', c.call -> 'id', 'name', c.call -> 'name',
               'response', jsonb_build_object('error', p_message))) ORDER BY c.n) AS parts
        FROM ${OF_IT} e,
             LATERAL (SELECT p.part -> 'functionCall' AS call, p.n
                        FROM jsonb_array_elements(e.content -> 'parts') WITH ORDINALITY AS p(part, n)) c
       WHERE c.call ->> 'id' IS NOT NULL
         AND (p_status = 'cancelled' OR c.call ->> 'id' <> ALL (coalesce(e.long_running_tool_ids, '{}')))
         AND coalesce((answered ->> (c.call ->> 'id'))::bigint, 0) <= e.seq
       GROUP BY e.seq, e.author, e.branch) a;
  GET DIAGNOSTICS head = ROW_COUNT;
  session.last_seq := session.last_seq + head;

  -- A runner may have told of the end already, and died before it could store that this is the end.
  INSERT INTO adk_events (app_name, user_id, session_id, id, seq, invocation_id, author, actions, step_key,
                          error_code, error_message, "timestamp")
  SELECT session.app_name, session.user_id, session.id, gen_random_uuid()::text, session.last_seq + 1, p_invocation,
         -- The first agent that spoke is the root, and whom a user stops is who spoke last (B49); before that only the
         -- app's name is known here.
         coalesce((SELECT e.author FROM ${OF_IT} e
                    WHERE e.author <> 'user'
                    ORDER BY CASE p_status WHEN 'cancelled' THEN -e.seq ELSE e.seq END LIMIT 1),
                  session.app_name),
         no_actions, at || '/' || p_status, 'invocation.' || p_status, p_message, clock
   WHERE NOT EXISTS (SELECT 1 FROM ${OF_IT} e
                      WHERE e.error_code = 'invocation.' || p_status AND starts_with(e.step_key, at || '/'));
  GET DIAGNOSTICS head = ROW_COUNT;
  head := session.last_seq + head;
  UPDATE adk_tool_calls t SET status = 'dead', applied_seq = head
   WHERE t.invocation_id = p_invocation AND t.applied_seq IS NULL;
  UPDATE adk_sessions s SET last_seq = head, updated_at = clock
   WHERE s.app_name = session.app_name AND s.user_id = session.user_id AND s.id = session.id;
  RETURN head;
END $$`;

/**
 * Takes one expired invocation back; nothing when its owner renewed it meanwhile. The caller holds the locks of the session
 * row and of the invocation.
 */
const createExpireOne = `
CREATE FUNCTION skein_expire_one(p_invocation text, p_max_attempts integer)
RETURNS TABLE (invocation_id text, segment integer, status text, is_dead boolean, error jsonb, app_name text,
               user_id text, session_id text, session_uid uuid, epoch bigint, published_seq bigint, last_seq bigint)
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
DECLARE
  expired record;
BEGIN
  SELECT i.epoch, i.attempt, i.segment, s.app_name, s.user_id, s.id AS session_id, s.uid, s.append_no, s.published_seq,
         s.last_seq
    INTO expired
    FROM adk_invocations i JOIN adk_sessions s
      ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id AND s.owner_epoch = i.epoch
   WHERE i.id = p_invocation AND i.status = 'running' AND i.lease_until < clock_timestamp()
     AND i.cancel_requested_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE adk_invocations i
     SET owner = NULL, lease_until = NULL, queued_at = clock_timestamp(),
         attempt = CASE WHEN expired.append_no > 0 THEN 1 ELSE least(i.attempt + 1, p_max_attempts) END,
         status = 'queued',
         -- It has had its turn.
         turn = coalesce(i.turn, 0)
   WHERE i.id = p_invocation;
  UPDATE adk_sessions s SET owner_epoch = s.owner_epoch + 1, append_no = 0
   WHERE s.app_name = expired.app_name AND s.user_id = expired.user_id AND s.id = expired.session_id;
  invocation_id := p_invocation;
  segment := expired.segment;
  status := 'queued';
  app_name := expired.app_name;
  user_id := expired.user_id;
  session_id := expired.session_id;
  session_uid := expired.uid;
  epoch := expired.epoch;
  published_seq := expired.published_seq;
  last_seq := expired.last_seq;
  is_dead := expired.append_no = 0 AND expired.attempt >= p_max_attempts;
  IF is_dead THEN
    error := jsonb_build_object('code', 'invocation.dead', 'message',
      'No runner could make progress with this invocation in ' || expired.attempt || ' attempts.');
    last_seq := skein_close_segment(p_invocation, 'dead', error ->> 'message');
    status := skein_end_segment(p_invocation, 'dead', error, last_seq, NULL);
  END IF;
  RETURN NEXT;
END $$`;

/**
 * Takes back what expired. A session somebody works on right now is skipped: its owner lives. Without a stored step
 * since its claim an invocation used up one attempt; an invocation that kills every runner must not be tried for ever.
 * One that is to be cancelled is left: whoever ends overdue cancels ends it, as cancelled.
 */
const createExpire = `
CREATE FUNCTION skein_expire(p_limit integer, p_max_attempts integer)
RETURNS TABLE (invocation_id text, segment integer, status text, is_dead boolean, error jsonb, app_name text,
               user_id text, session_id text, session_uid uuid, epoch bigint, published_seq bigint, last_seq bigint)
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
DECLARE
  expired text[];
  each text;
BEGIN
  SELECT array_agg(l.id) INTO expired
    FROM (SELECT i.id
            FROM adk_invocations i JOIN adk_sessions s
              ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id AND s.owner_epoch = i.epoch
           WHERE i.status = 'running' AND i.lease_until < clock_timestamp() AND i.cancel_requested_at IS NULL
           ORDER BY s.app_name, s.user_id, s.id
           LIMIT p_limit
             FOR UPDATE OF s SKIP LOCKED) l;
  -- By id, as renew does: two statements that each lock several invocations must agree on the order.
  PERFORM 1 FROM adk_invocations i WHERE i.id = ANY (expired) ORDER BY i.id FOR NO KEY UPDATE;
  FOREACH each IN ARRAY coalesce(expired, '{}') LOOP
    BEGIN
      RETURN QUERY SELECT * FROM skein_expire_one(each, p_max_attempts);
    EXCEPTION
      WHEN deadlock_detected OR serialization_failure THEN
        RAISE;
      -- One that cannot be ended must keep neither the others waiting nor their places for ever.
      WHEN OTHERS OR query_canceled THEN
        RAISE WARNING 'skein_expire left %: %', each, SQLERRM;
        UPDATE adk_invocations i SET lease_until = clock_timestamp() + interval '10 seconds' WHERE i.id = each;
    END;
  END LOOP;
END $$`;

export const createExpireFunctions = [createCloseSegment, createExpireOne, createExpire];

export const dropExpireFunctions = [
  'DROP FUNCTION skein_expire(integer, integer)',
  'DROP FUNCTION skein_expire_one(text, integer)',
  'DROP FUNCTION skein_close_segment(text, text, text)',
];
