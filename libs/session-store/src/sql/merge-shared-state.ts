import { type SessionKey } from '@skein/contracts';
import { type ScopedState } from '@skein/engine';
import { type PoolClient } from 'pg';
import { query } from './query';

/** Merges what sessions share, per key: user before app, as every writer locks them. */
export async function mergeSharedState(
  client: PoolClient,
  { appName, userId }: Pick<SessionKey, 'appName' | 'userId'>,
  { user, app }: Pick<ScopedState, 'user' | 'app'>,
): Promise<void> {
  if (!isEmpty(user)) await query(client, mergeUserState, [appName, userId, JSON.stringify(user)]);
  if (!isEmpty(app)) await query(client, mergeAppState, [appName, JSON.stringify(app)]);
}

function isEmpty(delta: object): boolean {
  return Object.keys(delta).length === 0;
}

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
