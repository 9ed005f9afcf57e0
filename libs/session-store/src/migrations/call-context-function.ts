import { BY_KEY } from './planner';

/**
 * What the tools of an invocation are given beside their arguments: what the user said last, the state (the session's, the
 * user's and the app's), and `temp:` keys as its segment has set them so far, which are in the journal alone. Each event of the
 * segment looks for its record, since a plan from the records would go through the events once for each.
 */
const createCallContext = `
CREATE FUNCTION skein_call_context(p_invocation text)
RETURNS TABLE (user_content jsonb, scopes jsonb, temp jsonb)
LANGUAGE sql STABLE ${BY_KEY} AS $$
  SELECT (SELECT e.content FROM skein_events_of(i.app_name, i.user_id, i.session_id, i.id) e
           WHERE e.author = 'user' AND e.content IS NOT NULL
           ORDER BY e.seq DESC LIMIT 1),
         skein_scopes(s.app_name, s.user_id, s.state),
         (SELECT jsonb_object_agg(kept.key, kept.value ORDER BY e.seq)
            FROM adk_events e,
                 LATERAL (SELECT j.payload FROM adk_journal j
                           WHERE j.invocation_id = i.id AND j.step_key = e.step_key AND j.kind = 'temp'
                          OFFSET 0) step,
                 LATERAL jsonb_each(step.payload) AS kept
           WHERE e.app_name = i.app_name AND e.user_id = i.user_id AND e.session_id = i.session_id
             AND e.seq > i.base_seq AND e.invocation_id = i.id)
    FROM adk_invocations i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
   WHERE i.id = p_invocation
$$`;

export const createCallContextFunction = [createCallContext];

export const dropCallContextFunction = ['DROP FUNCTION skein_call_context(text)'];
