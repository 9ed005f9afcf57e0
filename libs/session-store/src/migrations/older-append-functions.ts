import { BY_KEY } from './planner';

/** As `skein_append_units`, of a batch without calls, and of events whose columns are named. */
const createAppend = `
CREATE FUNCTION skein_append(p_chains jsonb, p_events jsonb, p_sections text[], p_lease_ms bigint)
RETURNS TABLE (chain integer, session_uid uuid, base_seq bigint, published_seq bigint,
               cancel_requested boolean, next_invocation text, next_epoch bigint, clock_ms bigint)
LANGUAGE sql AS $$
  SELECT a.chain, a.session_uid, a.base_seq, a.published_seq, a.cancel_requested, a.next_invocation, a.next_epoch,
         a.clock_ms
    FROM skein_append_units(p_chains, (
           SELECT coalesce(jsonb_agg(jsonb_build_array(
                    e.event -> 'chain', e.event -> 'n', e.event -> 'id', e.event -> 'step_key', e.event -> 'step_hash',
                    e.event -> 'invocation_id', e.event -> 'author', e.event -> 'seconds', e.event -> 'content',
                    e.event -> 'actions', e.event) ORDER BY e.place), '[]')
             FROM jsonb_array_elements(p_events) WITH ORDINALITY AS e(event, place)), p_sections, p_lease_ms) a
$$`;

/**
 * As `skein_append`, of a batch with calls: a last row, of no chain, names those of p_calls that wait for their turn.
 */
const createAppendCalls = `
CREATE FUNCTION skein_append_calls(p_chains jsonb, p_events jsonb, p_sections text[], p_lease_ms bigint,
                                   p_calls text[])
RETURNS TABLE (chain integer, session_uid uuid, base_seq bigint, published_seq bigint,
               cancel_requested boolean, next_invocation text, next_epoch bigint, clock_ms bigint, waiting text[])
LANGUAGE plpgsql ${BY_KEY} AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT a.chain, a.session_uid, a.base_seq, a.published_seq, a.cancel_requested, a.next_invocation, a.next_epoch,
         a.clock_ms, NULL::text[]
    FROM skein_append(p_chains, p_events, p_sections, p_lease_ms) a;
  RETURN QUERY
  SELECT NULL::integer, NULL::uuid, NULL::bigint, NULL::bigint, NULL::boolean, NULL::text, NULL::bigint, NULL::bigint,
         array_agg(t.dispatch_id)
    FROM adk_tool_calls t
   WHERE t.dispatch_id = ANY (p_calls) AND t.status = 'queued'
  HAVING count(*) > 0;
END $$`;

/** What the version before appends with; they go a version later. */
export const createOlderAppendFunctions = [createAppend, createAppendCalls];

export const dropOlderAppendFunctions = [
  'DROP FUNCTION skein_append_calls(jsonb, jsonb, text[], bigint, text[])',
  'DROP FUNCTION skein_append(jsonb, jsonb, text[], bigint)',
];
