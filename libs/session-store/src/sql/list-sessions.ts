import { type ListSessions, type Session } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';
import { SELECT_SESSIONS, type SessionRow, toSession } from './read-session';

/** The user's sessions, newest first, without events. */
export async function listSessions(pool: Pool, { appName, userId }: ListSessions): Promise<Session[]> {
  const rows = await query<SessionRow>(pool, statement, [appName, userId]);
  return rows.map(toSession);
}

const statement = {
  name: 'list-sessions',
  text: `${SELECT_SESSIONS} WHERE s.app_name = $1 AND s.user_id = $2 ORDER BY s.updated_at DESC, s.id`,
};
