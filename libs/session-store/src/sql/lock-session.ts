import { AdkError, type SessionKey } from '@skein/contracts';
import { type PoolClient } from 'pg';
import { query } from './query';

/** A session's row, locked for a writer that does not own it. */
export interface LockedSession {
  readonly uid: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly initial_state: Record<string, unknown>;
  readonly last_seq: number;
  readonly published_seq: number;
}

/** The first lock of every writer; rejects when there is no such session. */
export async function lockSession(
  client: PoolClient,
  { appName, userId, sessionId }: SessionKey,
): Promise<LockedSession> {
  const [row] = await query<LockedSession>(client, statement, [appName, userId, sessionId]);
  if (!row) throw new AdkError('not_found', 'session.not-found', `Session not found: ${sessionId}`);
  return row;
}

const statement = {
  name: 'lock-session',
  text: `
  SELECT uid, state, initial_state, last_seq, published_seq
    FROM adk_sessions
   WHERE app_name = $1 AND user_id = $2 AND id = $3
     FOR UPDATE`,
};
