import { type DeleteSession } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** Removes a session with all that hangs on it; whoever still runs it is fenced. App and user state stay. */
export async function deleteSession(
  pool: Pool,
  { appName, userId, sessionId }: DeleteSession,
): Promise<void> {
  await query(pool, statement, [appName, userId, sessionId]);
}

const statement = {
  name: 'delete-session',
  text: 'DELETE FROM adk_sessions WHERE app_name = $1 AND user_id = $2 AND id = $3',
};
