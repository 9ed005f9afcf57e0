import { BY_KEY } from './planner';

/**
 * Gives a queued invocation to a runner. The caller holds the lock of the session row and has seen that nothing else
 * runs in it. Answers the claim's epoch. The first claim of a segment keeps the state it began with, which is where
 * recovery starts again.
 */
const createTake = `
CREATE FUNCTION skein_take(p_invocation text, p_runner text, p_claim text, p_lease_ms bigint)
RETURNS bigint
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  session adk_sessions%ROWTYPE;
  base jsonb;
BEGIN
  SELECT s.* INTO session
    FROM adk_invocations i JOIN adk_sessions s
      ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
   WHERE i.id = p_invocation;
  base := skein_scopes(session.app_name, session.user_id, session.state);
  UPDATE adk_invocations i
     SET status = 'running', owner = p_runner, claim_id = p_claim, epoch = session.owner_epoch + 1,
         lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
         base_state = coalesce(i.base_state, base),
         base_seq = coalesce(i.base_seq, session.last_seq),
         from_seq = CASE WHEN session.owner = p_runner THEN coalesce(i.base_seq, session.last_seq) ELSE 0 END
   WHERE i.id = p_invocation;
  UPDATE adk_inputs d SET applied = true
   WHERE d.invocation_id = p_invocation AND NOT d.applied
     AND d.ordinal = (SELECT i.segment FROM adk_invocations i WHERE i.id = p_invocation);
  UPDATE adk_sessions s
     SET owner = p_runner, owner_epoch = s.owner_epoch + 1, append_no = 0
   WHERE s.app_name = session.app_name AND s.user_id = session.user_id AND s.id = session.id;
  RETURN session.owner_epoch + 1;
END $$`;

/** The three stored scopes of a session as one value. */
const createScopes = `
CREATE FUNCTION skein_scopes(p_app text, p_user text, p_session jsonb)
RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'session', p_session,
    'app', coalesce((SELECT a.state FROM adk_app_states a WHERE a.app_name = p_app), '{}'),
    'user', coalesce((SELECT u.state FROM adk_user_states u WHERE u.app_name = p_app AND u.user_id = p_user), '{}'))
$$`;

/**
 * Claims the session's oldest queued invocation, under the lock of its row; answers it and its epoch, or nulls. One that
 * is to be cancelled is left: it is ended in a moment, and nobody should begin it.
 */
const createTakeNext = `
CREATE FUNCTION skein_take_next(p_app text, p_user text, p_session text, p_runner text, p_lease_ms bigint,
                                OUT next_id text, OUT next_epoch bigint)
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  next_status text;
BEGIN
  SELECT i.id, CASE WHEN i.cancel_requested_at IS NULL THEN i.status END INTO next_id, next_status
    FROM adk_invocations i
   WHERE i.app_name = p_app AND i.user_id = p_user AND i.session_id = p_session AND i.status IN ('queued', 'running')
   ORDER BY i.queue_no
   LIMIT 1;
  IF next_id IS NULL OR next_status IS DISTINCT FROM 'queued' THEN
    next_id := NULL;
    RETURN;
  END IF;
  next_epoch := skein_take(next_id, p_runner, NULL, p_lease_ms);
END $$`;

/**
 * Claims one invocation by id, idempotent by claim id; answers the claim's epoch, or null when the invocation runs, ended,
 * is to be cancelled, or is not the next of its session.
 */
const createClaim = `
CREATE FUNCTION skein_claim(p_invocation text, p_runner text, p_claim text, p_lease_ms bigint)
RETURNS bigint
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  wanted adk_invocations%ROWTYPE;
BEGIN
  PERFORM 1
    FROM adk_sessions s JOIN adk_invocations i
      ON i.app_name = s.app_name AND i.user_id = s.user_id AND i.session_id = s.id
   WHERE i.id = p_invocation
     FOR UPDATE OF s;
  SELECT * INTO wanted FROM adk_invocations i WHERE i.id = p_invocation;
  IF wanted.status = 'running' AND wanted.owner = p_runner AND wanted.claim_id = p_claim THEN
    RETURN wanted.epoch;
  END IF;
  IF wanted.status IS DISTINCT FROM 'queued' OR wanted.cancel_requested_at IS NOT NULL OR EXISTS (
    SELECT 1 FROM adk_invocations i
     WHERE i.app_name = wanted.app_name AND i.user_id = wanted.user_id AND i.session_id = wanted.session_id
       AND i.status IN ('queued', 'running')
       AND (i.queue_no < wanted.queue_no OR i.status = 'running'))
  THEN
    RETURN NULL;
  END IF;
  RETURN skein_take(p_invocation, p_runner, p_claim, p_lease_ms);
END $$`;

/**
 * Takes a running invocation back from the holder of an epoch and queues it again. The epoch rises at once, so whatever
 * that holder still sends is fenced, also while nobody has claimed it anew. With p_untouched it is left alone once its
 * holder has stored something, and while its lease has more than p_unrenewed_ms to go, which it has only when its holder
 * renewed it: a runner that answered too late has then plainly accepted it.
 */
const createRelease = `
CREATE FUNCTION skein_release(p_invocation text, p_epoch bigint, p_untouched boolean, p_unrenewed_ms bigint)
RETURNS boolean
LANGUAGE plpgsql ${BY_KEY} AS $$
DECLARE
  session adk_sessions%ROWTYPE;
BEGIN
  SELECT s.* INTO session
    FROM adk_sessions s JOIN adk_invocations i
      ON i.app_name = s.app_name AND i.user_id = s.user_id AND i.session_id = s.id
   WHERE i.id = p_invocation
     FOR UPDATE OF s;
  IF session.owner_epoch IS DISTINCT FROM p_epoch OR (p_untouched AND session.append_no > 0) THEN
    RETURN false;
  END IF;
  UPDATE adk_invocations i
     SET status = 'queued', owner = NULL, lease_until = NULL, queued_at = clock_timestamp(),
         -- What was lost before a step does not count after one.
         attempt = CASE WHEN session.append_no > 0 THEN 1 ELSE i.attempt END
   WHERE i.id = p_invocation AND i.epoch = p_epoch AND i.status = 'running'
     AND (p_unrenewed_ms IS NULL
          OR i.lease_until <= clock_timestamp() + p_unrenewed_ms * interval '1 millisecond');
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE adk_sessions s SET owner_epoch = s.owner_epoch + 1, append_no = 0
   WHERE s.app_name = session.app_name AND s.user_id = session.user_id AND s.id = session.id;
  RETURN true;
END $$`;

export const createClaimFunctions = [createScopes, createTake, createTakeNext, createClaim, createRelease];

export const dropClaimFunctions = [
  'DROP FUNCTION skein_release(text, bigint, boolean, bigint)',
  'DROP FUNCTION skein_claim(text, text, text, bigint)',
  'DROP FUNCTION skein_take_next(text, text, text, text, bigint)',
  'DROP FUNCTION skein_take(text, text, text, bigint)',
  'DROP FUNCTION skein_scopes(text, text, jsonb)',
];
