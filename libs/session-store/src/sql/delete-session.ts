import { type DeleteSession } from '@skein/contracts';
import { type Pool } from 'pg';
import { inTransaction, query } from './query';

/**
 * Removes a session with all that hangs on it, its artifacts included: whoever still runs it is fenced, and a session that
 * is made under its id later has nothing of it. App and user state and the user's own artifacts stay. Objects of artifacts
 * are left to the look for orphans.
 */
export async function deleteSession(
  pool: Pool,
  { appName, userId, sessionId }: DeleteSession,
): Promise<void> {
  const names = [appName, userId, sessionId];
  await inTransaction(pool, async (client) => {
    await query(client, sessionStatement, names);
    // Only now, with the session's row gone: a rewind that was under way has added its versions.
    await query(client, artifactsStatement, names);
  });
}

const sessionStatement = {
  name: 'delete-session',
  text: 'DELETE FROM adk_sessions WHERE app_name = $1 AND user_id = $2 AND id = $3',
};

const artifactsStatement = {
  name: 'delete-artifacts-of-session',
  text: `
  WITH gone AS (
    DELETE FROM adk_artifacts WHERE app_name = $1 AND user_id = $2 AND session_id = $3 RETURNING object_key
  )
  INSERT INTO adk_dropped_objects (object_key)
  SELECT DISTINCT object_key FROM gone WHERE object_key <> '' ON CONFLICT DO NOTHING`,
};
