import { BY_KEY, PLANNED_ONCE } from './planner';

/**
 * The invocations whose calls the function responses of a message answer, none twice, or the id of a response that no
 * call has together with its name. The latest such call counts, because models use an id again; a call that was taken
 * back by a rewind (B55) is none. One pass over the ids in the session's call events, however many answers there are: of
 * 10,000 events that takes 25 ms.
 */
const createFindCallers = `
CREATE FUNCTION skein_find_callers(p_app text, p_user text, p_session text, p_message jsonb,
                                   OUT unmatched text, OUT callers text[])
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  -- The id, by id and name: as JSON, so that no two pairs are one text.
  wanted jsonb := (
    SELECT jsonb_object_agg(jsonb_build_array(r.response -> 'id', r.response -> 'name')::text,
                            coalesce(r.response ->> 'id', ''))
      FROM jsonb_path_query(p_message, '$.parts[*].functionResponse') AS r(response));
  wanted_ids jsonb := (SELECT jsonb_object_agg(w.value, true) FROM jsonb_each_text(wanted) w);
  call record;
  made text[];
BEGIN
  callers := '{}';
  FOR call IN
    SELECT e.seq, e.invocation_id, e.content
      FROM adk_events e,
           LATERAL (SELECT ARRAY(SELECT q.id #>> '{}'
                                   FROM jsonb_path_query(e.content, '$.parts[*].functionCall.id') AS q(id)) AS ids) c
     WHERE e.app_name = p_app AND e.user_id = p_user AND e.session_id = p_session
       AND e.content @? '$.parts[*].functionCall' AND wanted_ids ?| c.ids
     ORDER BY e.seq DESC
  LOOP
    made := ARRAY(SELECT jsonb_build_array(q.call -> 'id', q.call -> 'name')::text
                    FROM jsonb_path_query(call.content, '$.parts[*].functionCall') AS q(call));
    CONTINUE WHEN NOT wanted ?| made OR skein_is_taken_back(p_app, p_user, p_session, call.seq);
    wanted := wanted - made;
    IF call.invocation_id <> ALL (callers) THEN
      callers := callers || call.invocation_id;
    END IF;
    EXIT WHEN wanted = '{}';
  END LOOP;
  unmatched := (SELECT min(w.value) FROM jsonb_each_text(wanted) w);
END $$`;

/**
 * The id of a question to a person that this message answers and that was answered before, or is by an input that is
 * queued or runs. A question is decided once; a long-running call may be answered as often as there is news of it.
 */
const createFindDecided = `
CREATE FUNCTION skein_find_decided(p_app text, p_user text, p_session text, p_message jsonb)
RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT min(r.response ->> 'id')
    FROM jsonb_path_query(p_message, '$.parts[*].functionResponse
           ? (@.name == "adk_request_confirmation" || @.name == "adk_request_credential")') AS r(response),
         LATERAL (SELECT jsonb_build_object('id', r.response -> 'id', 'name', r.response -> 'name') AS named) n,
         LATERAL (SELECT jsonb_build_object('parts', jsonb_build_array(jsonb_build_object('functionCall', n.named)))
                           AS call,
                         jsonb_build_object('parts', jsonb_build_array(jsonb_build_object('functionResponse', n.named)))
                           AS answer) c
   WHERE EXISTS (
           SELECT 1 FROM adk_events e
            WHERE e.app_name = p_app AND e.user_id = p_user AND e.session_id = p_session AND e.content @> c.answer
              AND NOT skein_is_taken_back(p_app, p_user, p_session, e.seq)
              AND e.seq > (SELECT max(q.seq) FROM adk_events q
                            WHERE q.app_name = p_app AND q.user_id = p_user AND q.session_id = p_session
                              AND q.content @? '$.parts[*].functionCall' AND q.content @> c.call
                              AND NOT skein_is_taken_back(p_app, p_user, p_session, q.seq)))
      OR EXISTS (
           SELECT 1 FROM adk_invocations i
             JOIN adk_inputs d ON d.invocation_id = i.id
            WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session
              AND i.status IN ('queued', 'running') AND d.outcome IS NULL AND d.message @> c.answer)
$$`;

/**
 * Whether a rewind took back the event of this seq: a later marker names an invocation that began at or before it. All later
 * markers are looked for in one pass: a session may have hundreds, of invocations that were imported and begin anywhere.
 */
const createIsTakenBack = `
CREATE FUNCTION skein_is_taken_back(p_app text, p_user text, p_session text, p_seq bigint)
RETURNS boolean
LANGUAGE sql STABLE ${BY_KEY} AS $$
  WITH rewound AS (
    SELECT jsonb_object_agg(m.id, true) AS ids, min(skein_begun_after(p_app, p_user, p_session, m.id)) AS begun_after
      FROM (SELECT DISTINCT e.actions ->> 'rewindBeforeInvocationId' AS id
              FROM adk_events e
             WHERE e.app_name = p_app AND e.user_id = p_user AND e.session_id = p_session AND e.seq > p_seq
               AND e.actions ? 'rewindBeforeInvocationId') m
     WHERE m.id IS NOT NULL)
  SELECT EXISTS (
    SELECT 1 FROM adk_events e
     WHERE e.app_name = p_app AND e.user_id = p_user AND e.session_id = p_session AND e.seq <= p_seq
       AND e.seq > (SELECT r.begun_after FROM rewound r) AND (SELECT r.ids FROM rewound r) ? e.invocation_id)
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
         queued_at = clock_timestamp(), turn = NULL
   WHERE i.id = p_invocation;
  DELETE FROM adk_journal j WHERE j.invocation_id = p_invocation;
  UPDATE adk_tool_calls t SET status = 'dead', applied_seq = input.after_seq
   WHERE t.invocation_id = p_invocation AND t.applied_seq IS NULL;
END $$`;

/**
 * The end of a segment. `segment` is the one its invocation is at; `left_as` the outcome the invocation had before, where a
 * refused segment leaves it as it was; `last_no` the number of the append unit that ended it, null when no unit did.
 */
const createEndType = `
CREATE TYPE skein_end AS (
  invocation_id text, segment integer, status text, error jsonb, left_as jsonb, head bigint, last_no bigint,
  is_refusal boolean)`;

/** How the last segment ended that was not refused, null of an invocation that has none. */
const createOutcomeBefore = `
CREATE FUNCTION skein_outcome_before(p_invocation text)
RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT d.outcome FROM adk_inputs d
   WHERE d.invocation_id = p_invocation AND d.applied AND NOT d.outcome ? 'isRefusal'
   ORDER BY d.ordinal DESC
   LIMIT 1
$$`;

/**
 * Writes the end `e`, a variable, or the ends `e` that `from` gives. A join finds its rows among those with the keys in `ids`:
 * no plan of it can then read a table whole, however small the planner takes it for.
 */
function writeEnds(from?: string): string {
  const given = (column: string): string => (from ? `AND ${column} = ANY (ids)` : '');
  const ends = from ? `FROM ${from}` : '';
  return `
  UPDATE adk_invocations i
     SET status = coalesce(e.left_as ->> 'status', e.status),
         error = nullif(CASE WHEN e.left_as IS NULL THEN e.error ELSE e.left_as -> 'error' END, 'null'),
         lease_until = NULL, stopped_at = clock_timestamp(), last_no = e.last_no,
         last_epoch = CASE WHEN e.last_no IS NOT NULL THEN i.epoch END
    ${ends}
   WHERE i.id = e.invocation_id ${given('i.id')}
   ${from ? '' : 'RETURNING i.segment INTO e.segment'};
  UPDATE adk_inputs d
     SET applied = true, end_seq = e.head,
         -- A credential the user gave is kept for the run that uses it, and no longer (security: B65).
         message = CASE WHEN d.message @? '$.parts[*].functionResponse ? (@.name == "adk_request_credential")'
                        THEN NULL ELSE d.message END,
         outcome = jsonb_strip_nulls(jsonb_build_object('status', e.status, 'error', e.error,
                                                        'isRefusal', nullif(e.is_refusal, false)))
    ${ends}
   WHERE d.invocation_id = e.invocation_id ${given('d.invocation_id')}
     AND (d.ordinal = e.segment OR NOT d.applied AND e.status = 'cancelled');
  -- What waits for its turn need not run any more, either; what was sent may give a result that is stored.
  UPDATE adk_tool_calls t SET status = 'dead', applied_seq = e.head
    ${ends}
   WHERE t.invocation_id = e.invocation_id ${given('t.invocation_id')} AND t.applied_seq IS NULL
     AND (e.status = 'cancelled' OR t.status = 'queued');`;
}

/**
 * Ends the segment an invocation is at, and with it the invocation, unless an input came meanwhile: then it is queued
 * for that one, so that an early answer is never lost. Cancelling ends what is still to come as well, and no result of
 * its calls is taken any more. A refused segment is told of as p_status, and leaves the invocation as the one before it
 * did. Answers the status the invocation has now. p_last_no is the number of the append unit that ended it, null when no
 * unit did. The caller holds the lock of the session row.
 */
const createEndSegment = `
CREATE FUNCTION skein_end_segment(p_invocation text, p_status text, p_error jsonb, p_head bigint, p_last_no bigint,
                                  p_is_refusal boolean DEFAULT false)
RETURNS text
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  e skein_end;
BEGIN
  e := ROW(p_invocation, NULL, p_status, p_error,
           CASE WHEN p_is_refusal THEN skein_outcome_before(p_invocation) END, p_head, p_last_no, p_is_refusal);
  ${writeEnds()}
  -- Also of one that waits: what it goes on from is in its events.
  DELETE FROM adk_journal j WHERE j.invocation_id = p_invocation;
  IF EXISTS (SELECT 1 FROM adk_inputs d WHERE d.invocation_id = p_invocation AND NOT d.applied) THEN
    PERFORM skein_requeue(p_invocation);
    RETURN 'queued';
  END IF;
  RETURN coalesce(e.left_as ->> 'status', p_status);
END $$`;

/** As `skein_end_segment`, of several invocations; whoever calls holds the locks of their session rows. */
const createEndSegments = `
CREATE FUNCTION skein_end_segments(p_ends skein_end[])
RETURNS void
LANGUAGE plpgsql ${BY_KEY} ${PLANNED_ONCE} AS $$
#variable_conflict use_column
DECLARE
  ids text[] := ARRAY(SELECT e.invocation_id FROM unnest(p_ends) e);
  unserved text;
BEGIN
  -- By id, as renew does: two statements that each lock several invocations must agree on the order.
  PERFORM 1 FROM adk_invocations i WHERE i.id = ANY (ids) ORDER BY i.id FOR NO KEY UPDATE;
  ${writeEnds('unnest(p_ends) e')}
  DELETE FROM adk_journal j WHERE j.invocation_id = ANY (ids);
  FOR unserved IN
    SELECT DISTINCT d.invocation_id FROM adk_inputs d WHERE d.invocation_id = ANY (ids) AND NOT d.applied
  LOOP
    PERFORM skein_requeue(unserved);
  END LOOP;
END $$`;

export const createSegmentFunctions = [
  createIsTakenBack,
  createFindCallers,
  createFindDecided,
  createRequeue,
  createEndType,
  createOutcomeBefore,
  createEndSegment,
  createEndSegments,
];

export const dropSegmentFunctions = [
  'DROP FUNCTION skein_end_segments(skein_end[])',
  'DROP FUNCTION skein_end_segment(text, text, jsonb, bigint, bigint, boolean)',
  'DROP FUNCTION skein_outcome_before(text)',
  'DROP TYPE skein_end',
  'DROP FUNCTION skein_requeue(text)',
  'DROP FUNCTION skein_find_decided(text, text, text, jsonb)',
  'DROP FUNCTION skein_find_callers(text, text, text, jsonb)',
  'DROP FUNCTION skein_is_taken_back(text, text, text, bigint)',
];
