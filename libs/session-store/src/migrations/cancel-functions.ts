import { BY_KEY } from './planner';

const createIsBusy = `
CREATE FUNCTION skein_is_busy(p_app text, p_user text, p_session text)
RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM adk_invocations i
     WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session
       AND i.status IN ('queued', 'running'))
$$`;

/**
 * Ends an invocation as cancelled here and now: error responses for its open calls, one event that says so, nothing of
 * it left to be applied. Its runner, if it has one, is fenced. Answers the session's new head. The caller holds the lock
 * of the session row.
 */
const createEndCancelled = `
CREATE FUNCTION skein_end_cancelled(p_invocation text)
RETURNS bigint
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  was text := (SELECT i.status FROM adk_invocations i WHERE i.id = p_invocation);
  head bigint := skein_close_segment(p_invocation, 'cancelled', 'The invocation was cancelled.');
BEGIN
  IF was = 'running' THEN
    UPDATE adk_sessions s SET owner_epoch = s.owner_epoch + 1, append_no = 0
      FROM adk_invocations i
     WHERE i.id = p_invocation AND s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id;
  END IF;
  PERFORM skein_end_segment(p_invocation, 'cancelled', NULL, head, NULL);
  RETURN head;
END $$`;

/**
 * Cancels an invocation that is not over. What runs is only asked to end, and by whom is answered; anything else, and
 * with p_is_due what runs too, ends at once. The caller holds the lock of the session row.
 */
const createCancelOne = `
CREATE FUNCTION skein_cancel_one(p_invocation text, p_is_due boolean)
RETURNS jsonb
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  wanted adk_invocations%ROWTYPE;
  ends boolean;
BEGIN
  UPDATE adk_invocations i SET cancel_requested_at = coalesce(i.cancel_requested_at, clock_timestamp())
   WHERE i.id = p_invocation
  RETURNING * INTO wanted;
  ends := p_is_due OR wanted.status <> 'running';
  RETURN jsonb_build_object(
    'invocationId', wanted.id, 'segment', wanted.segment, 'epoch', wanted.epoch,
    'runnerId', CASE WHEN wanted.status = 'running' THEN wanted.owner END,
    'lastSeq', CASE WHEN ends THEN skein_end_cancelled(p_invocation) END);
END $$`;

/** Cancels all that makes a session busy, in its order. The caller holds the lock of the session row. */
const createCancelActive = `
CREATE FUNCTION skein_cancel_active(p_app text, p_user text, p_session text)
RETURNS jsonb
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  active text;
  cancelled jsonb := '[]';
BEGIN
  -- By id, as every statement that locks several invocations does.
  PERFORM 1 FROM adk_invocations i
   WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session AND i.status IN ('queued', 'running')
   ORDER BY i.id
     FOR NO KEY UPDATE;
  FOR active IN
    SELECT i.id FROM adk_invocations i
     WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session AND i.status IN ('queued', 'running')
     ORDER BY i.queue_no
  LOOP
    cancelled := cancelled || skein_cancel_one(active, false);
  END LOOP;
  RETURN cancelled;
END $$`;

/**
 * Cancels one invocation of a session; with p_is_due only one whose cancel was asked for before, which then ends also
 * while it runs. `cancelled` is null when there was nothing to do. Then the session's oldest invocation, if it is queued,
 * is the one to go on with. No row when the session has no such invocation.
 */
const createCancel = `
CREATE FUNCTION skein_cancel(p_app text, p_user text, p_session text, p_invocation text, p_is_due boolean)
RETURNS TABLE (cancelled jsonb, session_uid uuid, published_seq bigint, last_seq bigint, next_id text,
               next_epoch bigint)
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
DECLARE
  wanted adk_invocations%ROWTYPE;
BEGIN
  PERFORM 1 FROM adk_sessions s WHERE s.app_name = p_app AND s.user_id = p_user AND s.id = p_session FOR UPDATE;
  SELECT * INTO wanted FROM adk_invocations i
   WHERE i.id = p_invocation AND i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF wanted.status IN ('queued', 'running') AND (wanted.cancel_requested_at IS NOT NULL OR NOT p_is_due)
     OR wanted.status = 'waiting' AND NOT p_is_due
  THEN
    cancelled := skein_cancel_one(p_invocation, p_is_due);
  END IF;
  SELECT s.uid, s.published_seq, s.last_seq INTO session_uid, published_seq, last_seq
    FROM adk_sessions s WHERE s.app_name = p_app AND s.user_id = p_user AND s.id = p_session;
  SELECT a.id, a.epoch INTO next_id, next_epoch
    FROM (SELECT i.id, i.epoch, i.status FROM adk_invocations i
           WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session
             AND i.status IN ('queued', 'running')
           ORDER BY i.queue_no
           LIMIT 1) a
   WHERE a.status = 'queued';
  RETURN NEXT;
END $$`;

export const createCancelFunctions = [
  createIsBusy,
  createEndCancelled,
  createCancelOne,
  createCancelActive,
  createCancel,
];

export const dropCancelFunctions = [
  'DROP FUNCTION skein_cancel(text, text, text, text, boolean)',
  'DROP FUNCTION skein_cancel_active(text, text, text)',
  'DROP FUNCTION skein_cancel_one(text, boolean)',
  'DROP FUNCTION skein_end_cancelled(text)',
  'DROP FUNCTION skein_is_busy(text, text, text)',
];
