import { BY_KEY, IN_ORDER } from './planner';

/** More than claims are made at the same time: those are what one passes over. */
const MAX_CANDIDATES = 100;

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

/** The three stored scopes of a session as one value, in SQL. */
export function scopesOf(app: string, user: string, sessionState: string): string {
  return `jsonb_build_object(
    'session', ${sessionState},
    'app', coalesce((SELECT a.state FROM adk_app_states a WHERE a.app_name = ${app}), '{}'),
    'user', coalesce((SELECT u.state FROM adk_user_states u WHERE u.app_name = ${app} AND u.user_id = ${user}), '{}'))`;
}

const createScopes = `
CREATE FUNCTION skein_scopes(p_app text, p_user text, p_session jsonb)
RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT ${scopesOf('p_app', 'p_user', 'p_session')}
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
 * Where a user's invocation stands among those that wait for a runner: behind the user's own, and not before the first of
 * the others. So turns go round the users, whoever has how many waiting; those with the same turn go in the order they came.
 */
const createTurn = `
CREATE FUNCTION skein_turn(p_app text, p_user text)
RETURNS bigint
LANGUAGE plpgsql STABLE ${BY_KEY} ${IN_ORDER} AS $$
BEGIN
  RETURN greatest(
    1,
    (SELECT i.turn FROM adk_invocations i
      WHERE i.status = 'queued' AND i.turn IS NOT NULL
      ORDER BY i.turn LIMIT 1),
    (SELECT i.turn + 1 FROM adk_invocations i
      WHERE i.status = 'queued' AND i.turn IS NOT NULL AND i.app_name = p_app AND i.user_id = p_user
      ORDER BY i.turn DESC LIMIT 1));
END $$`;

/**
 * Claims the invocation whose turn it is of those that wait for a runner, else the one of p_invocation; idempotent by claim
 * id. Answers which, and the claim's epoch, or nulls. What another claim is at, or whose session somebody writes to, is
 * passed over: nobody waits here.
 */
const createClaimInTurn = `
CREATE FUNCTION skein_claim_in_turn(p_invocation text, p_runner text, p_claim text, p_lease_ms bigint,
                                    OUT claimed_id text, OUT claimed_epoch bigint)
LANGUAGE plpgsql ${BY_KEY} ${IN_ORDER} AS $$
DECLARE
  candidate record;
BEGIN
  SELECT i.id, i.epoch INTO claimed_id, claimed_epoch FROM adk_invocations i
   WHERE i.status = 'running' AND i.claim_id = p_claim AND i.owner = p_runner;
  IF FOUND THEN
    RETURN;
  END IF;
  FOR candidate IN
    SELECT i.id, i.app_name, i.user_id, i.session_id FROM adk_invocations i
     WHERE i.status = 'queued' AND i.turn IS NOT NULL
     ORDER BY i.turn, i.id
     LIMIT ${MAX_CANDIDATES}
  LOOP
    -- Of one that went meanwhile the session is not locked: its new owner is about to write to it.
    CONTINUE WHEN NOT EXISTS (SELECT 1 FROM adk_invocations i WHERE i.id = candidate.id AND i.status = 'queued');
    PERFORM 1 FROM adk_sessions s
      WHERE s.app_name = candidate.app_name AND s.user_id = candidate.user_id AND s.id = candidate.session_id
        FOR UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    claimed_epoch := skein_claim(candidate.id, p_runner, p_claim, p_lease_ms);
    IF claimed_epoch IS NOT NULL THEN
      claimed_id := candidate.id;
      RETURN;
    END IF;
  END LOOP;
  claimed_epoch := skein_claim(p_invocation, p_runner, p_claim, p_lease_ms);
  claimed_id := CASE WHEN claimed_epoch IS NOT NULL THEN p_invocation END;
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
         -- It has had its turn, unless nobody ever took it.
         turn = coalesce(i.turn, CASE WHEN p_untouched THEN skein_turn(i.app_name, i.user_id) ELSE 0 END),
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

export const createClaimFunctions = [
  createScopes,
  createTake,
  createTakeNext,
  createClaim,
  createTurn,
  createClaimInTurn,
  createRelease,
];

export const dropClaimFunctions = [
  'DROP FUNCTION skein_release(text, bigint, boolean, bigint)',
  'DROP FUNCTION skein_claim_in_turn(text, text, text, bigint)',
  'DROP FUNCTION skein_turn(text, text)',
  'DROP FUNCTION skein_claim(text, text, text, bigint)',
  'DROP FUNCTION skein_take_next(text, text, text, text, bigint)',
  'DROP FUNCTION skein_take(text, text, text, bigint)',
  'DROP FUNCTION skein_scopes(text, text, jsonb)',
];
