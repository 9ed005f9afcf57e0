import { BY_KEY } from './planner';

/**
 * Stores an input with its invocation and claims it at once for p_runner when the session is free. `outcome` says what
 * happened: accepted, enqueued (behind others), replayed (same idempotency key and body), mismatch (same key, other body), no-session, busy.
 */
export const createSubmitFunction = `
CREATE FUNCTION skein_submit(p_app text, p_user text, p_session text, p_input jsonb, p_runner text, p_lease_ms bigint)
RETURNS TABLE (outcome text, invocation_id text, session_uid uuid, after_seq bigint, claimed_epoch bigint,
               from_seq bigint, scopes jsonb, updated_seconds double precision)
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
DECLARE
  session adk_sessions%ROWTYPE;
  earlier record;
  is_busy boolean;
BEGIN
  IF (p_input ->> 'auto_create')::boolean THEN
    INSERT INTO adk_sessions (app_name, user_id, id) VALUES (p_app, p_user, p_session) ON CONFLICT DO NOTHING;
  END IF;
  SELECT * INTO session FROM adk_sessions s
   WHERE s.app_name = p_app AND s.user_id = p_user AND s.id = p_session
     FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'no-session';
    RETURN NEXT; RETURN;
  END IF;

  session_uid := session.uid;
  after_seq := session.last_seq;
  IF p_input ->> 'idempotency_key' IS NOT NULL THEN
    SELECT d.invocation_id, d.body_digest, d.after_seq INTO earlier FROM adk_inputs d
     WHERE d.app_name = p_app AND d.user_id = p_user AND d.idempotency_key = p_input ->> 'idempotency_key';
    IF FOUND THEN
      outcome := CASE WHEN earlier.body_digest = p_input ->> 'digest' THEN 'replayed' ELSE 'mismatch' END;
      invocation_id := earlier.invocation_id;
      after_seq := earlier.after_seq;
      RETURN NEXT; RETURN;
    END IF;
  END IF;

  is_busy := EXISTS (
    SELECT 1 FROM adk_invocations i
     WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session
       AND i.status IN ('queued', 'running'));
  IF is_busy AND p_input ->> 'on_busy' = 'reject' THEN
    outcome := 'busy';
    RETURN NEXT; RETURN;
  END IF;
  -- Only noted: the running one learns of it from its next append or renewal.
  IF is_busy AND p_input ->> 'on_busy' = 'interrupt' THEN
    UPDATE adk_invocations i SET cancel_requested_at = coalesce(i.cancel_requested_at, clock_timestamp())
     WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session
       AND i.status = 'running';
  END IF;

  outcome := CASE WHEN is_busy THEN 'enqueued' ELSE 'accepted' END;
  invocation_id := p_input ->> 'invocation_id';
  updated_seconds := extract(epoch FROM session.updated_at);
  IF NOT is_busy AND p_runner IS NOT NULL THEN
    claimed_epoch := session.owner_epoch + 1;
    from_seq := CASE WHEN session.owner = p_runner THEN session.last_seq ELSE 0 END;
    scopes := skein_scopes(p_app, p_user, session.state);
  END IF;
  INSERT INTO adk_invocations (id, app_name, user_id, session_id, queue_no, status, owner, epoch, lease_until,
                               base_state, base_seq, from_seq, traceparent)
  VALUES (invocation_id, p_app, p_user, p_session, session.queue_tail + 1,
          CASE WHEN claimed_epoch IS NULL THEN 'queued' ELSE 'running' END,
          CASE WHEN claimed_epoch IS NOT NULL THEN p_runner END,
          coalesce(claimed_epoch, 0),
          CASE WHEN claimed_epoch IS NOT NULL THEN clock_timestamp() + p_lease_ms * interval '1 millisecond' END,
          scopes,
          CASE WHEN claimed_epoch IS NOT NULL THEN session.last_seq END,
          from_seq,
          p_input ->> 'traceparent');
  INSERT INTO adk_inputs (invocation_id, ordinal, app_name, user_id, message, state_delta, run_config,
                          function_call_event_id, idempotency_key, body_digest, after_seq)
  VALUES (invocation_id, 0, p_app, p_user, nullif(p_input -> 'message', 'null'),
          nullif(p_input -> 'state_delta', 'null'), p_input -> 'run_config', p_input ->> 'function_call_event_id',
          p_input ->> 'idempotency_key', p_input ->> 'digest', session.last_seq);
  UPDATE adk_sessions s
     SET queue_tail = session.queue_tail + 1,
         owner = CASE WHEN claimed_epoch IS NULL THEN s.owner ELSE p_runner END,
         owner_epoch = coalesce(claimed_epoch, s.owner_epoch),
         append_no = CASE WHEN claimed_epoch IS NULL THEN s.append_no ELSE 0 END
   WHERE s.app_name = p_app AND s.user_id = p_user AND s.id = p_session;
  RETURN NEXT;
END $$`;

export const dropSubmitFunction = 'DROP FUNCTION skein_submit(text, text, text, jsonb, text, bigint)';
