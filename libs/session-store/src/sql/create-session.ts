import { AdkError, type CreateSession, type Session } from '@skein/contracts';
import { splitState } from '@skein/engine';
import { type Pool } from 'pg';
import { v4 as uuidV4 } from 'uuid';
import { withoutTemp } from '../event-row';
import { insertEvents } from './insert-events';
import { mergeSharedState } from './merge-shared-state';
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
    const created = await query(client, insertSession, [
      key.appName,
      key.userId,
      key.sessionId,
      JSON.stringify(scopes.session),
      JSON.stringify(splitState(request.state ?? {}).session),
      events.length,
    ]);
    if (created.length === 0) {
      throw new AdkError('conflict', 'session.exists', `Session already exists: ${key.sessionId}`);
    }
    await insertEvents(client, key, 0, events);
    await mergeSharedState(client, key, scopes);
  });
  const session = await readSession(pool, key);
  if (!session) throw new AdkError('not_found', 'session.not-found', `Session not found: ${key.sessionId}`);
  return session;
}

const insertSession = {
  name: 'create-session',
  text: `
  INSERT INTO adk_sessions (app_name, user_id, id, state, initial_state, last_seq)
  VALUES ($1, $2, $3, $4::jsonb, $5::jsonb, $6)
  ON CONFLICT DO NOTHING
  RETURNING uid`,
};
