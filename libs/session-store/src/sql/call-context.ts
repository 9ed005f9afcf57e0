/**
 * Columns of what a tool is given beside its arguments, for an `adk_invocations i` and its `adk_sessions s`: `user_content`,
 * `scopes` (the session's, the user's and the app's state) and `temp`, which is in the journal of the segment under way alone.
 */
export const CALL_CONTEXT = `
  (SELECT e.content FROM skein_events_of(i.app_name, i.user_id, i.session_id, i.id) e
    WHERE e.author = 'user' AND e.content IS NOT NULL
    ORDER BY e.seq DESC LIMIT 1) AS user_content,
  skein_scopes(s.app_name, s.user_id, s.state) AS scopes,
  (SELECT jsonb_object_agg(kept.key, kept.value ORDER BY e.seq)
     FROM adk_journal j
     JOIN adk_events e
       ON e.app_name = i.app_name AND e.user_id = i.user_id AND e.session_id = i.session_id AND e.seq > i.base_seq
      AND e.invocation_id = i.id AND e.step_key = j.step_key
    CROSS JOIN jsonb_each(j.payload) AS kept
    WHERE j.invocation_id = i.id AND j.kind = 'temp') AS temp`;
