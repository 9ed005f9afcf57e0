import { scopesOf } from './claim-functions';
import { BY_KEY, PLANNED_ONCE } from './planner';

/**
 * Stores an input and claims its invocation at once for p_runner when the session is free. The invocation is a new one,
 * or the one whose calls the message answers, or the one the request names (`resume_id`); what the message answers wins.
 * A call of an invocation that is not here was imported with its session: its answer begins an invocation. `outcome`
 * says what happened: accepted, enqueued (behind others), replayed (same idempotency key and body), mismatch (same key,
 * other body), unknown-key (a repeat of nothing), no-session, busy; unmatched, ambiguous, decided, no-invocation,
 * invocation-busy, cancelled of what it should go on from. `interrupted` is what skein_cancel_one answers of each
 * invocation that had to make way.
 *
 * `guess` is what the session was taken for, as it is with nothing queued or running in it: where it is that, the new
 * invocation is the one that the guess names, and the claim what was made of it. Where it is not, that one never is.
 */
const createSubmit = `
CREATE FUNCTION skein_submit(p_app text, p_user text, p_session text, p_input jsonb, p_runner text, p_lease_ms bigint)
RETURNS TABLE (outcome text, detail text, invocation_id text, segment integer, last_epoch bigint, session_uid uuid,
               after_seq bigint, claimed_epoch bigint, from_seq bigint, scopes jsonb, updated_seconds double precision,
               published_seq bigint, interrupted jsonb, asked_traceparent text)
LANGUAGE plpgsql ${BY_KEY} ${PLANNED_ONCE} AS $$
#variable_conflict use_column
DECLARE
  session adk_sessions%ROWTYPE;
  known record;
  answered record;
  wanted text := p_input ->> 'resume_id';
  is_answer boolean := coalesce(p_input -> 'message' @? '$.parts[*].functionResponse', false);
  is_repeat boolean := coalesce((p_input ->> 'is_repeat')::boolean, false);
  guess jsonb := p_input -> 'guess';
  target adk_invocations%ROWTYPE;
  is_busy boolean;
BEGIN
  SELECT * INTO session FROM adk_sessions s
   WHERE s.app_name = p_app AND s.user_id = p_user AND s.id = p_session
     FOR UPDATE;
  -- Looked for first: nearly every turn finds its session, and to insert in vain costs more than all its other reads.
  IF NOT FOUND AND (p_input ->> 'auto_create')::boolean AND NOT is_answer AND NOT is_repeat AND wanted IS NULL THEN
    INSERT INTO adk_sessions (app_name, user_id, id) VALUES (p_app, p_user, p_session) ON CONFLICT DO NOTHING;
    SELECT * INTO session FROM adk_sessions s
     WHERE s.app_name = p_app AND s.user_id = p_user AND s.id = p_session
       FOR UPDATE;
  END IF;
  IF session.uid IS NULL THEN
    outcome := 'no-session';
    RETURN NEXT; RETURN;
  END IF;

  session_uid := session.uid;
  after_seq := session.last_seq;
  -- All that is asked of the database before anything is stored, in one statement: each costs more to begin than its look-ups.
  SELECT d.invocation_id, d.ordinal, d.body_digest, d.after_seq, here.is_busy, here.scopes INTO known
    FROM (SELECT EXISTS (SELECT 1 FROM adk_invocations i
                          WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session
                            AND i.status IN ('queued', 'running')) AS is_busy,
                 ${scopesOf('p_app', 'p_user', 'session.state')} AS scopes) here
    LEFT JOIN adk_inputs d
      ON d.app_name = p_app AND d.user_id = p_user AND d.idempotency_key = p_input ->> 'idempotency_key';
  is_busy := known.is_busy;
  IF known.invocation_id IS NOT NULL THEN
    outcome := CASE WHEN known.body_digest = p_input ->> 'digest' THEN 'replayed' ELSE 'mismatch' END;
    invocation_id := known.invocation_id;
    segment := known.ordinal;
    after_seq := known.after_seq;
    last_epoch := (SELECT i.epoch FROM adk_invocations i WHERE i.id = known.invocation_id);
    RETURN NEXT; RETURN;
  END IF;
  IF is_repeat THEN
    outcome := 'unknown-key';
    RETURN NEXT; RETURN;
  END IF;

  IF is_answer THEN
    SELECT f.unmatched, f.callers INTO answered
      FROM skein_find_callers(p_app, p_user, p_session, p_input -> 'message') f;
    IF answered.unmatched IS NOT NULL OR cardinality(answered.callers) > 1 THEN
      outcome := CASE WHEN answered.unmatched IS NULL THEN 'ambiguous' ELSE 'unmatched' END;
      detail := coalesce(answered.unmatched, array_to_string(answered.callers, ', '));
      RETURN NEXT; RETURN;
    END IF;
    wanted := answered.callers[1];
  END IF;
  IF wanted IS NOT NULL THEN
    SELECT * INTO target FROM adk_invocations i
     WHERE i.id = wanted AND i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session
       -- One that was taken back is not there any more (B55); of an answer this is known already.
       AND (is_answer OR NOT coalesce(skein_is_taken_back(p_app, p_user, p_session, (
              SELECT max(e.seq) FROM skein_events_of(p_app, p_user, p_session, wanted) e)), false));
    IF target.status = 'cancelled' OR target.cancel_requested_at IS NOT NULL THEN
      outcome := 'cancelled';
      detail := target.id;
      RETURN NEXT; RETURN;
    END IF;
    IF NOT is_answer AND (target.id IS NULL OR target.status IN ('queued', 'running')) THEN
      outcome := CASE WHEN target.id IS NULL THEN 'no-invocation' ELSE 'invocation-busy' END;
      RETURN NEXT; RETURN;
    END IF;
  END IF;

  IF is_answer THEN
    detail := skein_find_decided(p_app, p_user, p_session, p_input -> 'message');
    IF detail IS NOT NULL THEN
      outcome := 'decided';
      RETURN NEXT; RETURN;
    END IF;
  END IF;

  -- What goes on from an invocation is no new message: the policy of a busy session is not for it.
  IF is_busy AND target.id IS NULL AND p_input ->> 'on_busy' = 'reject' THEN
    outcome := 'busy';
    RETURN NEXT; RETURN;
  END IF;
  IF is_busy AND target.id IS NULL AND p_input ->> 'on_busy' = 'interrupt' THEN
    interrupted := skein_cancel_active(p_app, p_user, p_session);
    SELECT * INTO session FROM adk_sessions s WHERE s.app_name = p_app AND s.user_id = p_user AND s.id = p_session;
    after_seq := session.last_seq;
    published_seq := session.published_seq;
    is_busy := skein_is_busy(p_app, p_user, p_session);
  END IF;

  outcome := CASE WHEN is_busy THEN 'enqueued' ELSE 'accepted' END;
  invocation_id := coalesce(target.id, p_input ->> 'invocation_id');
  last_epoch := coalesce(target.epoch, 0);
  updated_seconds := extract(epoch FROM session.updated_at);
  segment := 0;
  IF target.id IS NOT NULL THEN
    asked_traceparent := target.traceparent;
    segment := (SELECT max(d.ordinal) + 1 FROM adk_inputs d WHERE d.invocation_id = target.id);
  ELSE
    IF NOT is_busy AND p_runner IS NOT NULL THEN
      claimed_epoch := session.owner_epoch + 1;
      from_seq := CASE WHEN session.owner = p_runner THEN session.last_seq ELSE 0 END;
      -- Of before an interruption too: a cancel writes no state.
      scopes := known.scopes;
      IF guess IS NOT NULL AND session.owner = p_runner AND session.uid = (guess ->> 'session_uid')::uuid
         AND session.owner_epoch = (guess ->> 'epoch')::bigint AND session.last_seq = (guess ->> 'last_seq')::bigint
         AND scopes = guess -> 'scopes' THEN
        invocation_id := guess ->> 'invocation_id';
      END IF;
    END IF;
    INSERT INTO adk_invocations (id, app_name, user_id, session_id, queue_no, status, owner, epoch, lease_until,
                                 base_state, base_seq, from_seq, traceparent, turn)
    VALUES (invocation_id, p_app, p_user, p_session, session.queue_tail + 1,
            CASE WHEN claimed_epoch IS NULL THEN 'queued' ELSE 'running' END,
            CASE WHEN claimed_epoch IS NOT NULL THEN p_runner END,
            coalesce(claimed_epoch, 0),
            CASE WHEN claimed_epoch IS NOT NULL THEN clock_timestamp() + p_lease_ms * interval '1 millisecond' END,
            scopes,
            CASE WHEN claimed_epoch IS NOT NULL THEN session.last_seq END,
            from_seq,
            p_input ->> 'traceparent',
            -- What is behind others of its session waits for those.
            CASE WHEN NOT is_busy AND p_runner IS NULL THEN skein_turn(p_app, p_user) END);
  END IF;
  INSERT INTO adk_inputs (invocation_id, ordinal, app_name, user_id, message, state_delta, run_config,
                          function_call_event_id, idempotency_key, body_digest, after_seq, queue_no, traceparent,
                          applied)
  VALUES (invocation_id, segment, p_app, p_user, nullif(p_input -> 'message', 'null'),
          nullif(p_input -> 'state_delta', 'null'), p_input -> 'run_config', p_input ->> 'function_call_event_id',
          p_input ->> 'idempotency_key', p_input ->> 'digest', session.last_seq, session.queue_tail + 1,
          p_input ->> 'traceparent', claimed_epoch IS NOT NULL);
  UPDATE adk_sessions s
     SET queue_tail = session.queue_tail + 1,
         owner = CASE WHEN claimed_epoch IS NULL THEN s.owner ELSE p_runner END,
         owner_epoch = coalesce(claimed_epoch, s.owner_epoch),
         append_no = CASE WHEN claimed_epoch IS NULL THEN s.append_no ELSE 0 END
   WHERE s.app_name = p_app AND s.user_id = p_user AND s.id = p_session;

  -- An input of one that is queued or running waits for the end of the segment before it.
  IF target.status NOT IN ('queued', 'running') THEN
    PERFORM skein_requeue(target.id);
    IF NOT is_busy AND p_runner IS NOT NULL THEN
      claimed_epoch := skein_take(target.id, p_runner, NULL, p_lease_ms);
      SELECT i.from_seq, i.base_state INTO from_seq, scopes FROM adk_invocations i WHERE i.id = target.id;
    ELSIF NOT is_busy THEN
      UPDATE adk_invocations i SET turn = skein_turn(p_app, p_user) WHERE i.id = target.id;
    END IF;
  END IF;
  RETURN NEXT;
END $$`;

/**
 * As `skein_submit`, of inputs that come together: in the order in which every writer locks sessions, those of one session
 * in theirs. Whoever else holds one of these sessions is waited for only so long, because all the others wait as well.
 */
const createSubmitSeveral = `
CREATE FUNCTION skein_submit_several(p_inputs jsonb)
RETURNS TABLE (place bigint, answer json)
LANGUAGE sql SET lock_timeout = '250ms' AS $$
  SELECT i.place, to_json(s)
    FROM (SELECT * FROM ROWS FROM (
            jsonb_to_recordset(p_inputs) AS (app_name text, user_id text, session_id text, input jsonb, runner text,
                                             lease_ms bigint)) WITH ORDINALITY
            AS o(app_name, user_id, session_id, input, runner, lease_ms, place)
           ORDER BY app_name COLLATE "C", user_id COLLATE "C", session_id COLLATE "C", place) i,
         LATERAL skein_submit(i.app_name, i.user_id, i.session_id, i.input, i.runner, i.lease_ms) s
$$`;

export const createSubmitFunctions = [createSubmit, createSubmitSeveral];

export const dropSubmitFunctions = [
  'DROP FUNCTION skein_submit_several(jsonb)',
  'DROP FUNCTION skein_submit(text, text, text, jsonb, text, bigint)',
];
