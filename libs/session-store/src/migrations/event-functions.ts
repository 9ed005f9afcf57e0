import { BY_KEY } from './planner';

/**
 * The seq after which the events of one of the session's invocations begin: the head as it was submitted. 0 where there is no
 * such invocation, but events that name it: imported ones, and those written from outside.
 */
const createBegunAfter = `
CREATE FUNCTION skein_begun_after(p_app text, p_user text, p_session text, p_invocation text)
RETURNS bigint
LANGUAGE sql STABLE ${BY_KEY} AS $$
  SELECT coalesce((
    SELECT d.after_seq FROM adk_invocations i JOIN adk_inputs d ON d.invocation_id = i.id AND d.ordinal = 0
     WHERE i.id = p_invocation AND i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session), 0)
$$`;

/**
 * The events of one of the session's invocations, in no order. They are found by the session's key from where the invocation
 * begins, which reads what others stored since as well: an invocation that waits for days is rare, and an index by invocation
 * is written for every event (ADR 45). The planner puts this query in the place of its call, as long as the function sets
 * nothing. It takes the session's key, since with a join to the invocation a plan made while a table has one session looks for
 * the seq in all of them.
 */
const createEventsOf = `
CREATE FUNCTION skein_events_of(p_app text, p_user text, p_session text, p_invocation text)
RETURNS SETOF adk_events
LANGUAGE sql STABLE AS $$
  SELECT e.*
    FROM adk_events e
   WHERE e.app_name = p_app AND e.user_id = p_user AND e.session_id = p_session AND e.invocation_id = p_invocation
     AND e.seq > skein_begun_after(p_app, p_user, p_session, p_invocation)
$$`;

export const createEventFunctions = [createBegunAfter, createEventsOf];

export const dropEventFunctions = [
  'DROP FUNCTION skein_events_of(text, text, text, text)',
  'DROP FUNCTION skein_begun_after(text, text, text, text)',
];
