import { BY_KEY } from './planner';

/**
 * The invocations whose calls the function responses of a message answer, none twice, or an id no call has. The latest
 * call of an id counts, because models use one again; a call that was taken back by a rewind (B55) is none. One pass
 * over the session's call events, however many answers there are: of 10,000 events that takes 7 ms.
 */
const createFindCallers = `
CREATE FUNCTION skein_find_callers(p_app text, p_user text, p_session text, p_message jsonb,
                                   OUT unmatched text, OUT callers text[])
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  wanted jsonb := (
    SELECT jsonb_object_agg(coalesce(p.part -> 'functionResponse' ->> 'id', ''), true)
      FROM jsonb_array_elements(p_message -> 'parts') AS p(part)
     WHERE p.part ? 'functionResponse');
  call record;
BEGIN
  callers := '{}';
  FOR call IN
    SELECT e.seq, e.invocation_id, c.ids
      FROM adk_events e,
           LATERAL (SELECT ARRAY(SELECT q.id #>> '{}'
                                   FROM jsonb_path_query(e.content, '$.parts[*].functionCall.id') AS q(id)) AS ids) c
     WHERE e.app_name = p_app AND e.user_id = p_user AND e.session_id = p_session
       AND e.content @? '$.parts[*].functionCall' AND wanted ?| c.ids
     ORDER BY e.seq DESC
  LOOP
    CONTINUE WHEN NOT wanted ?| call.ids OR skein_is_taken_back(p_app, p_user, p_session, call.seq);
    wanted := wanted - call.ids;
    IF call.invocation_id <> ALL (callers) THEN
      callers := callers || call.invocation_id;
    END IF;
    EXIT WHEN wanted = '{}';
  END LOOP;
  unmatched := (SELECT min(k.id) FROM jsonb_object_keys(wanted) AS k(id));
END $$`;

/** Whether a rewind took back the event of this seq: a later marker names an invocation that began at or before it. */
const createIsTakenBack = `
CREATE FUNCTION skein_is_taken_back(p_app text, p_user text, p_session text, p_seq bigint)
RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM adk_events m
     WHERE m.app_name = p_app AND m.user_id = p_user AND m.session_id = p_session AND m.seq > p_seq
       AND m.actions ? 'rewindBeforeInvocationId'
       AND p_seq >= (
         SELECT min(f.seq) FROM adk_events f
          WHERE f.app_name = p_app AND f.user_id = p_user AND f.session_id = p_session
            AND f.invocation_id = m.actions ->> 'rewindBeforeInvocationId'))
$$`;

/**
 * Queues an invocation for its next unapplied input, as the segment that input begins. Its place is the one the input
 * took when it came, so inputs of a session are served in the order they came, whichever invocations they belong to: an
 * answer neither overtakes a message that was there before it nor waits for those that came later. Nothing of earlier
 * segments is left to be found: their records go, and calls nobody waits for any more are closed. The caller holds the
 * lock of the session row.
 */
const createRequeue = `
CREATE FUNCTION skein_requeue(p_invocation text)
RETURNS void
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  input adk_inputs%ROWTYPE;
BEGIN
  SELECT d.* INTO input FROM adk_inputs d
   WHERE d.invocation_id = p_invocation AND NOT d.applied
   ORDER BY d.ordinal
   LIMIT 1;
  UPDATE adk_invocations i
     SET status = 'queued', segment = input.ordinal, queue_no = input.queue_no, traceparent = input.traceparent,
         owner = NULL, claim_id = NULL, lease_until = NULL, attempt = 1, cancel_requested_at = NULL,
         base_state = NULL, base_seq = NULL, from_seq = NULL, error = NULL, stopped_at = NULL,
         queued_at = clock_timestamp()
   WHERE i.id = p_invocation;
  DELETE FROM adk_journal j WHERE j.invocation_id = p_invocation;
  UPDATE adk_tool_calls t SET status = 'dead', applied_seq = input.after_seq
   WHERE t.invocation_id = p_invocation AND t.applied_seq IS NULL;
END $$`;

/**
 * Ends the segment an invocation is at, and with it the invocation, unless an input came meanwhile: then it is queued
 * for that one, so that an early answer is never lost. Cancelling ends what is still to come as well. Answers the
 * status the invocation has now. p_last_no is the number of the append unit that ended it, null when no unit did. The
 * caller holds the lock of the session row.
 */
const createEndSegment = `
CREATE FUNCTION skein_end_segment(p_invocation text, p_status text, p_error jsonb, p_head bigint, p_last_no bigint)
RETURNS text
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE adk_invocations i
     SET status = p_status, error = p_error, lease_until = NULL, stopped_at = clock_timestamp(),
         last_no = p_last_no, last_epoch = CASE WHEN p_last_no IS NOT NULL THEN i.epoch END
   WHERE i.id = p_invocation
  RETURNING i.segment INTO ended;
  UPDATE adk_inputs d
     SET applied = true, end_seq = p_head,
         -- A credential the user gave is kept for the run that uses it, and no longer (security: B65).
         message = CASE WHEN d.message @? '$.parts[*].functionResponse ? (@.name == "adk_request_credential")'
                        THEN NULL ELSE d.message END,
         outcome = jsonb_strip_nulls(jsonb_build_object('status', p_status, 'error', p_error))
   WHERE d.invocation_id = p_invocation AND (d.ordinal = ended OR NOT d.applied AND p_status = 'cancelled');
  -- Also of one that waits: what it goes on from is in its events.
  DELETE FROM adk_journal j WHERE j.invocation_id = p_invocation;
  IF EXISTS (SELECT 1 FROM adk_inputs d WHERE d.invocation_id = p_invocation AND NOT d.applied) THEN
    PERFORM skein_requeue(p_invocation);
    RETURN 'queued';
  END IF;
  RETURN p_status;
END $$`;

export const createSegmentFunctions = [createIsTakenBack, createFindCallers, createRequeue, createEndSegment];

export const dropSegmentFunctions = [
  'DROP FUNCTION skein_end_segment(text, text, jsonb, bigint, bigint)',
  'DROP FUNCTION skein_requeue(text)',
  'DROP FUNCTION skein_find_callers(text, text, text, jsonb)',
  'DROP FUNCTION skein_is_taken_back(text, text, text, bigint)',
];
