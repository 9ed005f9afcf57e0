import { fence, insertCalls, settleCalls } from './append-statements';
import { NO_ACTIONS } from './no-actions';

/*
 * The sections of an append, in their order. A section speaks of `chains`, the batch; of `c`, the chain alone, where `is_alone`; and by a
 * chain's number, of what the fence found: `bases`, `uids` and so on.
 */

/** Locks the sessions, and takes the chains that come from their owners and follow what is stored; of the others nothing is kept. */
export const lockAndFence = `IF is_alone THEN
    c := jsonb_populate_record(NULL::skein_chain, p_chains -> 0);
    chains := ARRAY[c];
    PERFORM 1 FROM adk_sessions s
      WHERE s.app_name = c.app_name AND s.user_id = c.user_id AND s.id = c.session_id
        FOR UPDATE;
    clock := date_trunc('milliseconds', clock_timestamp());
    ${fence('adk_invocations i')} INTO chain, base_seq, session_uid, published_seq, cancel_requested;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    bases := ARRAY[base_seq];
    apps := ARRAY[c.app_name];
    users := ARRAY[c.user_id];
    sessions := ARRAY[c.session_id];
    invocations := ARRAY[c.invocation_id];
  ELSE
    -- In the order in which every writer locks sessions.
    chains := ARRAY(
      SELECT c FROM jsonb_populate_recordset(NULL::skein_chain, p_chains) c
       ORDER BY c.app_name COLLATE "C", c.user_id COLLATE "C", c.session_id COLLATE "C");
    PERFORM 1
      FROM unnest(chains) c,
           LATERAL (SELECT 1 FROM adk_sessions s
                     WHERE s.app_name = c.app_name AND s.user_id = c.user_id AND s.id = c.session_id
                       FOR UPDATE) s;
    clock := date_trunc('milliseconds', clock_timestamp());
    FOR held IN ${fence(`unnest(chains) c,
           LATERAL (SELECT * FROM adk_invocations i WHERE i.id = c.invocation_id OFFSET 0) i`)}
    LOOP
      bases[held.chain] := held.base_seq;
      uids[held.chain] := held.uid;
      published[held.chain] := held.published_seq;
      cancels[held.chain] := held.cancel_requested;
      segments[held.chain] := held.segment;
      apps[held.chain] := held.app_name;
      users[held.chain] := held.user_id;
      sessions[held.chain] := held.session_id;
      invocations[held.chain] := held.invocation_id;
    END LOOP;
  END IF;`;

/** Adds what the chains changed of the states of users and of apps; a session's own is written by its fence. */
export const addStates = `-- Ordered inserts lock existing rows and missing ones alike; all of user before any of app, as in every other writer.
  IF 'user' = ANY (p_sections) THEN
    INSERT INTO adk_user_states AS u (app_name, user_id, state, updated_at)
    SELECT c.app_name, c.user_id, jsonb_object_agg(d.key, d.value ORDER BY c.chain), clock
      FROM unnest(chains) c, jsonb_each(c.user_delta) d
     WHERE bases[c.chain] IS NOT NULL
     GROUP BY c.app_name, c.user_id
     ORDER BY c.app_name COLLATE "C", c.user_id COLLATE "C"
    ON CONFLICT (app_name, user_id)
    DO UPDATE SET state = u.state || excluded.state, version = u.version + 1, updated_at = excluded.updated_at;
  END IF;
  IF 'app' = ANY (p_sections) THEN
    INSERT INTO adk_app_states AS a (app_name, state, updated_at)
    SELECT c.app_name, jsonb_object_agg(d.key, d.value ORDER BY c.chain), clock
      FROM unnest(chains) c, jsonb_each(c.app_delta) d
     WHERE bases[c.chain] IS NOT NULL
     GROUP BY c.app_name
     ORDER BY c.app_name COLLATE "C"
    ON CONFLICT (app_name)
    DO UPDATE SET state = a.state || excluded.state, version = a.version + 1, updated_at = excluded.updated_at;
  END IF;`;

/** Stores the events, numbered behind the heads of their sessions. */
export const storeEvents = `-- Events come apart from their chains: taking a nested list out of each chain costs more than the insert. What they share with
  -- their chain is not in them. What every event has is found by its place: the names of an object would be
  -- sorted as it is read, and then looked for.
  IF p_events <> '[]' THEN
    IF jsonb_typeof(p_events -> 0) <> 'array' THEN
      RAISE EXCEPTION 'skein_append_units takes events by place, skein_append those by name' USING ERRCODE = 'feature_not_supported';
    END IF;
    INSERT INTO adk_events (app_name, user_id, session_id, id, seq, step_key, step_hash, invocation_id, author, "timestamp",
           content, actions, branch, turn_complete, error_code, error_message, interrupted, custom_metadata, usage_metadata,
           citation_metadata, grounding_metadata, long_running_tool_ids, partial, extra)
    SELECT apps[e.chain], users[e.chain], sessions[e.chain], e.id, bases[e.chain] + e.n, e.step_key, e.step_hash,
           coalesce(e.invocation_id, invocations[e.chain]), e.author, to_timestamp(e.seconds), e.content,
           coalesce(e.actions, ${NO_ACTIONS}),
           e.others ->> 'branch', (e.others ->> 'turn_complete')::boolean, e.others ->> 'error_code',
           e.others ->> 'error_message', (e.others ->> 'interrupted')::boolean,
           ${otherJson('custom_metadata')}, ${otherJson('usage_metadata')},
           ${otherJson('citation_metadata')}, ${otherJson('grounding_metadata')},
           CASE WHEN ${otherJson('long_running_tool_ids')} IS NOT NULL
                THEN ARRAY(SELECT jsonb_array_elements_text(e.others -> 'long_running_tool_ids')) END,
           (e.others ->> 'partial')::boolean, ${otherJson('extra')}
      FROM (SELECT (t -> 0)::integer AS chain, (t -> 1)::bigint AS n, t ->> 2 AS id, t ->> 3 AS step_key,
                   t ->> 4 AS step_hash, t ->> 5 AS invocation_id, t ->> 6 AS author, (t -> 7)::double precision AS seconds,
                   nullif(t -> 8, 'null') AS content, nullif(t -> 9, 'null') AS actions, nullif(t -> 10, 'null') AS others
              FROM jsonb_array_elements(p_events) t
            OFFSET 0) e
     WHERE bases[e.chain] IS NOT NULL;
  END IF;`;

function otherJson(column: string): string {
  return `nullif(e.others -> '${column}', 'null')`;
}

/** Stores what durable steps answered. */
export const storeRecords = `IF 'records' = ANY (p_sections) THEN
    INSERT INTO adk_journal (invocation_id, step_key, kind, payload, hash)
    SELECT c.invocation_id, r.step_key, r.kind, r.payload, r.hash
      FROM unnest(chains) c,
           jsonb_to_recordset(c.records) AS r(step_key text, kind text, payload jsonb, hash text)
     WHERE bases[c.chain] IS NOT NULL
    ON CONFLICT DO NOTHING;
  END IF;`;

/** Stores the calls of tools, and tells apart which of them wait for their turn. */
export const storeCalls = `IF 'calls' = ANY (p_sections) THEN
    IF NOT is_alone THEN
      chains := ARRAY(SELECT c FROM unnest(chains) c ORDER BY c.chain);
    END IF;
    FOREACH c IN ARRAY chains LOOP
      CONTINUE WHEN bases[c.chain] IS NULL OR c.calls IS NULL;
      FOR nth IN 0 .. jsonb_array_length(c.calls) - 1 LOOP
        call := c.calls -> nth;
        -- A call waits for its turn when it has to (limits of its tool, nobody who serves it), its user has had a fair
        -- share, or its pool is full: that counts what is under way, with what of this batch came before it. Who gives no
        -- bounds has none; those of one pool have the same.
        is_waiting := coalesce((call ->> 'waits')::boolean, false);
        share := call ->> 'share';
        room := call ->> 'room';
        IF NOT is_waiting AND (share IS NOT NULL OR room IS NOT NULL) THEN
          -- Counted once for a batch, which adds what it stores; of a full pool, and of one with less under way than a
          -- share, nobody's part need be known.
          IF under_way -> (call ->> 'pool') IS NULL THEN
            under_way := under_way || jsonb_build_object(call ->> 'pool', (
              SELECT count(*) FROM (SELECT 1 FROM adk_tool_calls o
                WHERE o.pool = call ->> 'pool' AND o.status IN ('dispatched', 'running')
                LIMIT greatest(share, room)) open_calls));
          END IF;
          in_pool := under_way -> (call ->> 'pool');
          of_user := jsonb_build_array(call ->> 'pool', c.app_name, c.user_id)::text;
          is_waiting := coalesce(in_pool >= room, false);
          IF NOT is_waiting AND in_pool >= share THEN
            is_waiting := share <= coalesce((under_way -> of_user)::integer, 0) + (
              SELECT count(*) FROM (SELECT 1 FROM adk_tool_calls o
                WHERE o.pool = call ->> 'pool' AND o.app_name = c.app_name AND o.user_id = c.user_id
                  AND o.status IN ('dispatched', 'running')
                LIMIT share) open_calls);
          END IF;
          IF NOT is_waiting THEN
            under_way := under_way || jsonb_build_object(call ->> 'pool', in_pool + 1,
              of_user, coalesce((under_way -> of_user)::integer, 0) + 1);
          END IF;
        END IF;
        IF is_waiting THEN
          waiting := waiting || (call ->> 'dispatch_id');
        END IF;
      END LOOP;
    END LOOP;
    IF is_alone THEN ${insertCalls()}
    ELSE ${insertCalls('unnest(chains) c')}
    END IF;
  END IF;`;

/** The plane ended the call, and its tool's answer reached the run first: sent again it would take effect twice. */
const DISCARD_LETTER = `
        IF held.has_other_end THEN
          UPDATE adk_dead_letters d
             SET status = 'discarded', message = d.message || ' Its tool answered all the same.'
           WHERE d.dispatch_id = held.dispatch_id AND d.status = 'open';
        END IF;`;

/** Settles the calls whose answers are among the events. */
export const settleAnswered = `IF 'applied' = ANY (p_sections) THEN
    IF is_alone THEN
      FOR nth IN 0 .. jsonb_array_length(c.applied) - 1 LOOP
        a := c.applied -> nth;
        ${settleCalls()} INTO held;
        ${DISCARD_LETTER}
      END LOOP;
    ELSE
      settled := ARRAY(SELECT a ->> 'dispatch_id' FROM unnest(chains) c, jsonb_array_elements(c.applied) a);
      FOR held IN ${settleCalls('unnest(chains) c, jsonb_array_elements(c.applied) a')}
      LOOP ${DISCARD_LETTER}
      END LOOP;
    END IF;
  END IF;`;

/** Ends what the chains finish, and claims what waits behind it in its session for the same runner. */
export const endRuns = `IF 'finish' = ANY (p_sections) THEN
    IF is_alone THEN
      PERFORM skein_end_segment(c.invocation_id, c.finish ->> 'status', c.finish -> 'error', base_seq + c.event_count, c.last_no,
                                coalesce((c.finish ->> 'isRefusal')::boolean, false));
    ELSE
      PERFORM skein_end_segments(ARRAY(
        SELECT ROW(c.invocation_id, segments[c.chain], c.finish ->> 'status', c.finish -> 'error',
                   CASE WHEN is_refusal THEN skein_outcome_before(c.invocation_id) END,
                   bases[c.chain] + c.event_count, c.last_no, is_refusal)::skein_end
          FROM unnest(chains) c, coalesce((c.finish ->> 'isRefusal')::boolean, false) is_refusal
         WHERE bases[c.chain] IS NOT NULL AND c.finish IS NOT NULL));
    END IF;
    FOREACH c IN ARRAY chains LOOP
      CONTINUE WHEN bases[c.chain] IS NULL OR c.finish IS NULL;
      -- Few sessions have more to do; a look spares the others the call.
      IF EXISTS (SELECT 1 FROM adk_invocations i
                  WHERE i.app_name = c.app_name AND i.user_id = c.user_id AND i.session_id = c.session_id
                    AND i.status IN ('queued', 'running')) THEN
        held := skein_take_next(c.app_name, c.user_id, c.session_id, c.runner_id, p_lease_ms);
        next_invocation := held.next_id;
        next_epoch := held.next_epoch;
        nexts[c.chain] := next_invocation;
        next_epochs[c.chain] := next_epoch;
      END IF;
    END LOOP;
  END IF;`;

/** Answers a row for each chain that was taken. */
export const answerChains = `clock_ms := (extract(epoch FROM clock) * 1000)::bigint;
  IF is_alone THEN
    RETURN NEXT;
    RETURN;
  END IF;
  FOREACH c IN ARRAY chains LOOP
    CONTINUE WHEN bases[c.chain] IS NULL;
    chain := c.chain;
    session_uid := uids[c.chain];
    base_seq := bases[c.chain];
    published_seq := published[c.chain];
    cancel_requested := cancels[c.chain];
    next_invocation := nexts[c.chain];
    next_epoch := next_epochs[c.chain];
    RETURN NEXT;
    waiting := NULL;
  END LOOP;`;
