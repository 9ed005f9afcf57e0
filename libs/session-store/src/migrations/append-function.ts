import { BY_KEY } from './planner';

/**
 * One batch of append units. A chain is the consecutive units of one session in this batch, numbered and folded by the
 * caller; it takes effect as a whole or not at all, and is absent from the answer when it does not.
 *
 * A function, not one statement with CTEs: each of its statements sees what was committed before the lock was granted.
 * A single statement keeps the snapshot it began with, so a finish could miss the invocation that was queued while it
 * waited for the session, and that one would never be claimed.
 */
export const createAppendFunction = `
CREATE FUNCTION skein_append(p_chains jsonb, p_events jsonb, p_sections text[], p_lease_ms bigint)
RETURNS TABLE (chain integer, session_uid uuid, base_seq bigint, published_seq bigint,
               cancel_requested boolean, next_invocation text, next_epoch bigint, clock_ms bigint)
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
DECLARE
  bases bigint[];
  uids uuid[];
  published bigint[];
  cancels boolean[];
  nexts text[];
  next_epochs bigint[];
  clock timestamptz;
  ended record;
  taken record;
BEGIN
  PERFORM 1
    FROM jsonb_to_recordset(p_chains) AS c(app_name text, user_id text, session_id text)
    JOIN adk_sessions s ON s.app_name = c.app_name AND s.user_id = c.user_id AND s.id = c.session_id
   ORDER BY s.app_name, s.user_id, s.id
     FOR UPDATE OF s;

  -- The fence. The invocation is asked too: a session deleted and created again begins with the epochs of the old one.
  -- Finishing holds only where no cancel was asked for; the runner is told so, and ends the invocation as cancelled.
  -- OFFSET 0 keeps it one look-up a chain: joined freely, every chain was compared with every running invocation.
  SELECT array_agg(f.last_seq ORDER BY c.chain),
         array_agg(f.uid ORDER BY c.chain),
         array_agg(f.published_seq ORDER BY c.chain),
         array_agg(f.cancel_requested ORDER BY c.chain)
    INTO bases, uids, published, cancels
    FROM jsonb_to_recordset(p_chains) AS c(chain integer, app_name text, user_id text, session_id text,
                                           invocation_id text, runner_id text, epoch bigint, first_no bigint,
                                           finish jsonb)
    LEFT JOIN LATERAL (
      SELECT s.last_seq, s.uid, s.published_seq, i.cancel_requested_at IS NOT NULL AS cancel_requested
        FROM adk_sessions s, adk_invocations i
       WHERE s.app_name = c.app_name AND s.user_id = c.user_id AND s.id = c.session_id
         AND s.owner_epoch = c.epoch AND s.append_no = c.first_no - 1
         AND i.id = c.invocation_id AND i.owner = c.runner_id AND i.epoch = c.epoch AND i.status = 'running'
         AND i.app_name = c.app_name AND i.user_id = c.user_id AND i.session_id = c.session_id
         AND (i.cancel_requested_at IS NULL OR c.finish IS NULL OR c.finish ->> 'status' = 'cancelled')
      OFFSET 0) f ON true;
  clock := date_trunc('milliseconds', clock_timestamp());

  UPDATE adk_sessions s
     SET last_seq = s.last_seq + c.event_count,
         append_no = c.last_no,
         -- What was published into a stream that is lost says nothing of the present one.
         published_seq = CASE WHEN s.uid = c.published_uid AND c.published_stream IS NOT DISTINCT FROM
                                   (SELECT known.created FROM adk_streams known WHERE known.name = 'EVENTS')
                              THEN least(s.last_seq, greatest(s.published_seq, c.published_seq))
                              ELSE s.published_seq END,
         state = CASE WHEN c.session_delta IS NULL THEN s.state ELSE s.state || c.session_delta END,
         updated_at = CASE WHEN c.event_count = 0 THEN s.updated_at ELSE clock END
    FROM jsonb_to_recordset(p_chains) AS c(chain integer, app_name text, user_id text, session_id text,
           event_count bigint, last_no bigint, published_uid uuid, published_seq bigint, published_stream text,
           session_delta jsonb)
   WHERE s.app_name = c.app_name AND s.user_id = c.user_id AND s.id = c.session_id
     AND bases[c.chain] IS NOT NULL;

  -- Ordered inserts lock existing rows and missing ones alike; all of user before any of app, as in every other writer.
  IF 'user' = ANY (p_sections) THEN
    INSERT INTO adk_user_states AS u (app_name, user_id, state, updated_at)
    SELECT c.app_name, c.user_id, jsonb_object_agg(d.key, d.value ORDER BY c.chain), clock
      FROM jsonb_to_recordset(p_chains) AS c(chain integer, app_name text, user_id text, user_delta jsonb),
           jsonb_each(c.user_delta) d
     WHERE bases[c.chain] IS NOT NULL
     GROUP BY c.app_name, c.user_id
     ORDER BY c.app_name COLLATE "C", c.user_id COLLATE "C"
    ON CONFLICT (app_name, user_id)
    DO UPDATE SET state = u.state || excluded.state, version = u.version + 1, updated_at = excluded.updated_at;
  END IF;
  IF 'app' = ANY (p_sections) THEN
    INSERT INTO adk_app_states AS a (app_name, state, updated_at)
    SELECT c.app_name, jsonb_object_agg(d.key, d.value ORDER BY c.chain), clock
      FROM jsonb_to_recordset(p_chains) AS c(chain integer, app_name text, app_delta jsonb),
           jsonb_each(c.app_delta) d
     WHERE bases[c.chain] IS NOT NULL
     GROUP BY c.app_name
     ORDER BY c.app_name COLLATE "C"
    ON CONFLICT (app_name)
    DO UPDATE SET state = a.state || excluded.state, version = a.version + 1, updated_at = excluded.updated_at;
  END IF;

  -- Events come apart from their chains: taking a nested list out of each chain costs more than the insert.
  INSERT INTO adk_events (app_name, user_id, session_id, id, seq, invocation_id, author, branch, content, actions,
         turn_complete, error_code, error_message, interrupted, custom_metadata, usage_metadata, citation_metadata,
         grounding_metadata, long_running_tool_ids, "timestamp", partial, step_key, step_hash, extra)
  SELECT e.app_name, e.user_id, e.session_id, e.id, bases[e.chain] + e.n, e.invocation_id, e.author, e.branch,
         e.content, e.actions, e.turn_complete, e.error_code, e.error_message, e.interrupted, e.custom_metadata,
         e.usage_metadata, e.citation_metadata, e.grounding_metadata, e.long_running_tool_ids,
         to_timestamp(e.seconds), e.partial, e.step_key, e.step_hash, e.extra
    FROM jsonb_to_recordset(p_events) AS e(chain integer, app_name text, user_id text, session_id text, n bigint,
           id text, invocation_id text, author text, branch text, content jsonb, actions jsonb, turn_complete boolean,
           error_code text, error_message text, interrupted boolean, custom_metadata jsonb, usage_metadata jsonb,
           citation_metadata jsonb, grounding_metadata jsonb, long_running_tool_ids text[], seconds double precision,
           partial boolean, step_key text, step_hash text, extra jsonb)
   WHERE bases[e.chain] IS NOT NULL;

  IF 'records' = ANY (p_sections) THEN
    INSERT INTO adk_journal (invocation_id, step_key, kind, payload, hash)
    SELECT c.invocation_id, r.step_key, r.kind, r.payload, r.hash
      FROM jsonb_to_recordset(p_chains) AS c(chain integer, invocation_id text, records jsonb),
           jsonb_to_recordset(c.records) AS r(step_key text, kind text, payload jsonb, hash text)
     WHERE bases[c.chain] IS NOT NULL
    ON CONFLICT DO NOTHING;
  END IF;

  IF 'calls' = ANY (p_sections) THEN
    -- A call waits for its turn when it has to (limits of its tool, nobody who serves it), its user has had a fair share, or
    -- its pool is full: that counts what is under way and what of this statement comes before it. Who gives no bounds has
    -- none.
    INSERT INTO adk_tool_calls (dispatch_id, invocation_id, step_key, call_index, call_id, agent_name, tool, pool,
           args, policy, confirmation, status, sent_at, deadline, app_name, user_id, priority, not_before,
           start_deadline, dispatched_at)
    SELECT t.dispatch_id, t.invocation_id, t.step_key, t.call_index, t.call_id, t.agent_name, t.tool, t.pool,
           t.args, t.policy, t.confirmation, CASE WHEN w.waits THEN 'queued' ELSE 'dispatched' END, clock,
           clock + t.allowance_ms * interval '1 millisecond', t.app_name, t.user_id, coalesce(t.priority, 1),
           CASE WHEN w.waits THEN clock END, clock + t.start_ms * interval '1 millisecond',
           CASE WHEN NOT w.waits THEN clock END
      FROM (SELECT c.app_name, c.user_id, c.invocation_id, t.*,
                   row_number() OVER (PARTITION BY c.app_name, c.user_id, t.pool
                                      ORDER BY coalesce(t.waits, false), c.chain, t.call_index) AS n,
                   row_number() OVER (PARTITION BY t.pool
                                      ORDER BY coalesce(t.waits, false), c.chain, t.call_index) AS pool_n
              FROM jsonb_to_recordset(p_chains) AS c(chain integer, app_name text, user_id text, invocation_id text,
                                                     calls jsonb),
                   jsonb_to_recordset(c.calls) AS t(dispatch_id text, step_key text, call_index integer, call_id text,
                     agent_name text, tool text, pool text, args jsonb, policy jsonb, confirmation jsonb,
                     allowance_ms bigint, start_ms bigint, priority smallint, waits boolean, share integer, room integer)
             WHERE bases[c.chain] IS NOT NULL) t,
           LATERAL (SELECT coalesce(t.waits, false)
                           OR t.share IS NOT NULL
                              AND t.n + (SELECT count(*) FROM (SELECT 1 FROM adk_tool_calls o
                                          WHERE o.pool = t.pool AND o.app_name = t.app_name
                                            AND o.user_id = t.user_id AND o.status IN ('dispatched', 'running')
                                          LIMIT t.share) open_calls) > t.share
                           OR t.room IS NOT NULL
                              AND t.pool_n + (SELECT count(*) FROM (SELECT 1 FROM adk_tool_calls o
                                               WHERE o.pool = t.pool AND o.status IN ('dispatched', 'running')
                                               LIMIT t.room) open_calls) > t.room AS waits) w;
  END IF;

  IF 'applied' = ANY (p_sections) THEN
    UPDATE adk_tool_calls t
       SET status = 'done', applied_seq = bases[c.chain] + d.n
      FROM jsonb_to_recordset(p_chains) AS c(chain integer, invocation_id text, applied jsonb),
           jsonb_to_recordset(c.applied) AS d(dispatch_id text, n bigint)
     WHERE bases[c.chain] IS NOT NULL AND t.dispatch_id = d.dispatch_id AND t.invocation_id = c.invocation_id
       AND t.applied_seq IS NULL;
  END IF;

  IF 'finish' = ANY (p_sections) THEN
    -- By id, as renew does: two statements that each lock several invocations must agree on the order.
    PERFORM 1
      FROM jsonb_to_recordset(p_chains) AS c(chain integer, invocation_id text, finish jsonb)
      JOIN adk_invocations i ON i.id = c.invocation_id
     WHERE bases[c.chain] IS NOT NULL AND c.finish IS NOT NULL
     ORDER BY i.id
       FOR NO KEY UPDATE OF i;
    FOR ended IN
      SELECT c.* FROM jsonb_to_recordset(p_chains) AS c(chain integer, app_name text, user_id text, session_id text,
                                                        invocation_id text, runner_id text, last_no bigint,
                                                        event_count bigint, finish jsonb)
       WHERE bases[c.chain] IS NOT NULL AND c.finish IS NOT NULL
    LOOP
      PERFORM skein_end_segment(ended.invocation_id, ended.finish ->> 'status', ended.finish -> 'error',
                                bases[ended.chain] + ended.event_count, ended.last_no,
                                coalesce((ended.finish ->> 'isRefusal')::boolean, false));
      SELECT t.next_id, t.next_epoch INTO taken
        FROM skein_take_next(ended.app_name, ended.user_id, ended.session_id, ended.runner_id, p_lease_ms) t;
      nexts[ended.chain] := taken.next_id;
      next_epochs[ended.chain] := taken.next_epoch;
    END LOOP;
  END IF;

  RETURN QUERY
  SELECT n, uids[n], bases[n], published[n], cancels[n], nexts[n], next_epochs[n],
         (extract(epoch FROM clock) * 1000)::bigint
    FROM generate_subscripts(bases, 1) n
   WHERE bases[n] IS NOT NULL;
END $$`;

export const dropAppendFunction = 'DROP FUNCTION skein_append(jsonb, jsonb, text[], bigint)';
