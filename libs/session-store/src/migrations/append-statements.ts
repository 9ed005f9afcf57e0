/*
 * Statements of an append. The text of each is for a chain alone and for several: `c` is the variable that holds the chain, or what
 * `from` gives, the chains of the batch.
 */

/**
 * The fence, for the chain or chains `c` whose invocations `from` finds. The invocation is asked too: a session deleted and
 * created again begins with the epochs of the old one. Finishing holds only where no cancel was asked for; the runner is told
 * so, and ends the invocation as cancelled.
 */
export function fence(from: string): string {
  return `
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
      FROM ${from}
     WHERE s.app_name = c.app_name AND s.user_id = c.user_id AND s.id = c.session_id
       AND s.owner_epoch = c.epoch AND s.append_no = c.first_no - 1
       AND i.id = c.invocation_id AND i.owner = c.runner_id AND i.epoch = c.epoch AND i.status = 'running'
       AND i.app_name = c.app_name AND i.user_id = c.user_id AND i.session_id = c.session_id
       AND (i.cancel_requested_at IS NULL OR c.finish IS NULL OR c.finish ->> 'status' = 'cancelled')
    RETURNING c.chain, s.last_seq - c.event_count AS base_seq, s.uid, s.published_seq,
              i.cancel_requested_at IS NOT NULL AS cancel_requested, i.segment,
              c.app_name, c.user_id, c.session_id, c.invocation_id`;
}

/** Stores the calls of the chain or chains `c`; those named in `waiting` wait for their turn. */
export function insertCalls(from?: string): string {
  return `
      INSERT INTO adk_tool_calls (dispatch_id, invocation_id, step_key, call_index, call_id, agent_name, tool, pool,
             args, policy, confirmation, status, sent_at, deadline, app_name, user_id, priority, not_before,
             start_deadline, dispatched_at)
      SELECT t.dispatch_id, c.invocation_id, t.step_key, t.call_index, t.call_id, t.agent_name, t.tool, t.pool,
             t.args,
             -- One that has to wait begins under the ticket of its turn, not under the one it left with, unless that one had it begun.
             CASE WHEN w.waits AND t.policy -> 'readOnly' IS DISTINCT FROM 'true' THEN t.policy - 'aheadDeadlineMs' ELSE t.policy END,
             t.confirmation, CASE WHEN w.waits THEN 'queued' ELSE 'dispatched' END, clock,
             clock + t.allowance_ms * interval '1 millisecond', c.app_name, c.user_id,
             coalesce(t.priority, 1), CASE WHEN w.waits THEN clock END,
             clock + t.start_ms * interval '1 millisecond', CASE WHEN NOT w.waits THEN clock END
        FROM ${from ? `${from},` : ''}
             jsonb_to_recordset(c.calls) AS t(dispatch_id text, step_key text, call_index integer, call_id text,
               agent_name text, tool text, pool text, args jsonb, policy jsonb, confirmation jsonb,
               allowance_ms bigint, start_ms bigint, priority smallint),
             LATERAL (SELECT coalesce(t.dispatch_id = ANY (waiting), false) AS waits) w
       WHERE bases[c.chain] IS NOT NULL;`;
}

/** Settles the call `a` of the chain `c`, both variables, or those that `from` gives, whose ids are in `settled`. */
export function settleCalls(from?: string): string {
  return `
    UPDATE adk_tool_calls t
       SET status = 'done', applied_seq = bases[c.chain] + (a ->> 'n')::bigint
      ${from ? `FROM ${from}` : ''}
     WHERE t.dispatch_id = a ->> 'dispatch_id' AND t.applied_seq IS NULL AND bases[c.chain] IS NOT NULL
       ${from ? 'AND t.dispatch_id = ANY (settled)' : ''}
       -- In this form it is no way to find the row: one invocation may have many calls.
       AND t.invocation_id IS NOT DISTINCT FROM c.invocation_id
    RETURNING t.dispatch_id, t.result IS NOT NULL AND a -> 'is_answered' IS NOT NULL AS has_other_end`;
}
