import { type Event, type SessionKey } from '@skein/contracts';
import { type PoolClient } from 'pg';
import { toEventRow } from '../event-row';
import { query } from './query';

/** Stores events above `afterSeq`, in their order, for a writer that holds the session's row. */
export async function insertEvents(
  client: PoolClient,
  { appName, userId, sessionId }: SessionKey,
  afterSeq: number,
  events: readonly Event[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event, index) => ({ seq: afterSeq + index + 1, ...toEventRow(event) }));
  await query(client, statement, [appName, userId, sessionId, JSON.stringify(rows)]);
}

const statement = {
  name: 'insert-events',
  text: `
  INSERT INTO adk_events (app_name, user_id, session_id, id, seq, invocation_id, author, branch, content, actions,
         turn_complete, error_code, error_message, interrupted, custom_metadata, usage_metadata, citation_metadata,
         grounding_metadata, long_running_tool_ids, "timestamp", partial, extra)
  SELECT $1, $2, $3, e.id, e.seq, e.invocation_id, e.author, e.branch, e.content, e.actions, e.turn_complete,
         e.error_code, e.error_message, e.interrupted, e.custom_metadata, e.usage_metadata, e.citation_metadata,
         e.grounding_metadata, e.long_running_tool_ids, to_timestamp(e.seconds), e.partial, e.extra
    FROM jsonb_to_recordset($4::jsonb) AS e(seq bigint, id text, invocation_id text, author text, branch text,
           content jsonb, actions jsonb, turn_complete boolean, error_code text, error_message text,
           interrupted boolean, custom_metadata jsonb, usage_metadata jsonb, citation_metadata jsonb,
           grounding_metadata jsonb, long_running_tool_ids text[], seconds double precision, partial boolean,
           extra jsonb)`,
};
