import { AdkError, type CreateSession, type Session } from '@skein/contracts';
import { splitState } from '@skein/engine';
import { type Pool, type PoolClient } from 'pg';
import { v4 as uuidV4 } from 'uuid';
import { toEventRow, withoutTemp } from '../event-row';
import { inTransaction, query } from './query';
import { readSession } from './read-session';

/**
 * Makes a session. Its state is routed by prefix; given events are stored in their order with their deltas folded, as
 * if appended. Locks in the order of every writer: session, user, app.
 */
export async function createSession(pool: Pool, request: CreateSession): Promise<Session> {
  const key = { appName: request.appName, userId: request.userId, sessionId: request.sessionId ?? uuidV4() };
  const events = (request.events ?? []).filter((event) => event.partial !== true).map(withoutTemp);
  const folded = [request.state ?? {}, ...events.map((event) => event.actions.stateDelta)];
  const scopes = splitState(Object.fromEntries(folded.flatMap((delta) => Object.entries(delta))));
  await inTransaction(pool, async (client) => {
    const names = [key.appName, key.userId, key.sessionId];
    const created = await query(client, insertSession, [
      ...names,
      JSON.stringify(scopes.session),
      events.length,
    ]);
    if (created.length === 0) {
      throw new AdkError('conflict', 'session.exists', `Session already exists: ${key.sessionId}`);
    }
    if (events.length > 0) {
      const rows = events.map((event, index) => ({ seq: index + 1, ...toEventRow(event) }));
      await query(client, insertEvents, [...names, JSON.stringify(rows)]);
    }
    await mergeShared(client, mergeUserState, [key.appName, key.userId], scopes.user);
    await mergeShared(client, mergeAppState, [key.appName], scopes.app);
  });
  const session = await readSession(pool, key);
  if (!session) throw new AdkError('not_found', 'session.not-found', `Session not found: ${key.sessionId}`);
  return session;
}

async function mergeShared(
  client: PoolClient,
  statement: typeof mergeUserState,
  names: readonly string[],
  delta: object,
): Promise<void> {
  if (Object.keys(delta).length > 0) await query(client, statement, [...names, JSON.stringify(delta)]);
}

const insertSession = {
  name: 'create-session',
  text: `
  INSERT INTO adk_sessions (app_name, user_id, id, state, last_seq) VALUES ($1, $2, $3, $4::jsonb, $5)
  ON CONFLICT DO NOTHING
  RETURNING uid`,
};

const insertEvents = {
  name: 'create-session-events',
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

const mergeUserState = {
  name: 'merge-user-state',
  text: `
  INSERT INTO adk_user_states AS u (app_name, user_id, state) VALUES ($1, $2, $3::jsonb)
  ON CONFLICT (app_name, user_id)
  DO UPDATE SET state = u.state || excluded.state, version = u.version + 1, updated_at = now()`,
};

const mergeAppState = {
  name: 'merge-app-state',
  text: `
  INSERT INTO adk_app_states AS a (app_name, state) VALUES ($1, $2::jsonb)
  ON CONFLICT (app_name)
  DO UPDATE SET state = a.state || excluded.state, version = a.version + 1, updated_at = now()`,
};
