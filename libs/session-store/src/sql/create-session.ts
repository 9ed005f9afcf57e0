import { AdkError, type CreateSession, type Session, type SessionKey } from '@skein/contracts';
import { splitState } from '@skein/engine';
import { type Pool, type PoolClient } from 'pg';
import { v4 as uuidV4 } from 'uuid';
import { withoutTemp } from '../event-row';
import { insertEvents } from './insert-events';
import { mergeSharedState } from './merge-shared-state';
import { inTransaction, query } from './query';
import { readSession } from './read-session';
import { repeatUntilKnown } from './repeat-until-known';

/**
 * Makes a session. Its state is routed by prefix; given events are stored in their order with their deltas folded, as
 * if appended. The same create asked for again, by its uid, changes nothing.
 */
export async function createSession(pool: Pool, request: CreateSession): Promise<Session> {
  const key = { appName: request.appName, userId: request.userId, sessionId: request.sessionId ?? uuidV4() };
  const named = { ...request, ...key, uid: request.uid ?? uuidV4() };
  await repeatUntilKnown(() => inTransaction(pool, (client) => createOnce(client, named)));
  const session = await readSession(pool, key);
  if (!session) throw new AdkError('not_found', 'session.not-found', `Session not found: ${key.sessionId}`);
  return session;
}

type NamedCreate = CreateSession & SessionKey & { readonly uid: string };

/** Locks in the order of every writer: session, user, app. */
async function createOnce(client: PoolClient, { uid, state = {}, ...request }: NamedCreate): Promise<void> {
  const key = { appName: request.appName, userId: request.userId, sessionId: request.sessionId };
  const events = (request.events ?? []).filter((event) => event.partial !== true).map(withoutTemp);
  const folded = [state, ...events.map((event) => event.actions.stateDelta)];
  const scopes = splitState(Object.fromEntries(folded.flatMap((delta) => Object.entries(delta))));
  const names = [key.appName, key.userId, key.sessionId];
  const created = await query(client, insertSession, [
    ...names,
    uid,
    JSON.stringify(scopes.session),
    JSON.stringify(splitState(state).session),
    events.length,
  ]);
  if (created.length === 0) {
    const [existing] = await query<{ uid: string }>(client, uidStatement, names);
    if (existing?.uid === uid) return;
    throw new AdkError('conflict', 'session.exists', `Session already exists: ${key.sessionId}`);
  }
  await insertEvents(client, key, 0, events);
  await mergeSharedState(client, key, scopes);
}

const insertSession = {
  name: 'create-session',
  text: `
  INSERT INTO adk_sessions (app_name, user_id, id, uid, state, initial_state, last_seq)
  VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7)
  ON CONFLICT DO NOTHING
  RETURNING uid`,
};

const uidStatement = {
  name: 'find-uid',
  text: 'SELECT uid FROM adk_sessions WHERE app_name = $1 AND user_id = $2 AND id = $3',
};
