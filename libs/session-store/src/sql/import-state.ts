import { type ScopedState, type StateRecord } from '@skein/engine';
import { type Pool, type PoolClient } from 'pg';
import { inTransaction, query } from './query';

/** A row of what an app's sessions share, or, with a user, those of one user; keys without their prefix. */
export interface StateImport {
  readonly appName: string;
  readonly userId: string | undefined;
  readonly state: StateRecord;
  readonly updatedSeconds: number;
}

/**
 * Adds what is not there yet: a key that is here is newer than the import, which may run again. Answers the keys that are
 * here with another value.
 */
export async function importState(pool: Pool, row: StateImport): Promise<string[]> {
  return inTransaction(pool, async (client) => {
    const names = row.userId === undefined ? [row.appName] : [row.appName, row.userId];
    const [add, compare] =
      row.userId === undefined ? [addAppState, otherAppKeys] : [addUserState, otherUserKeys];
    const state = JSON.stringify(row.state);
    await query(client, add, [...names, state, row.updatedSeconds]);
    const others = await query<{ key: string }>(client, compare, [...names, state]);
    return others.map(({ key }) => key);
  });
}

interface SharedState extends Pick<ScopedState, 'app' | 'user'> {
  readonly appName: string;
  readonly userId: string;
}

/** The same within a session's transaction, in the order of every writer's locks: user, then app. */
export async function importSharedState(
  client: PoolClient,
  { appName, userId, app, user }: SharedState,
): Promise<void> {
  if (Object.keys(user).length > 0) {
    await query(client, addUserState, [appName, userId, JSON.stringify(user), NOW]);
  }
  if (Object.keys(app).length > 0) await query(client, addAppState, [appName, JSON.stringify(app), NOW]);
}

/** The database's own. */
const NOW = null;

const addUserState = {
  name: 'import-user-state',
  text: `
  INSERT INTO adk_user_states AS u (app_name, user_id, state, updated_at)
  VALUES ($1, $2, $3::jsonb, coalesce(to_timestamp($4), now()))
  ON CONFLICT (app_name, user_id)
  DO UPDATE SET state = excluded.state || u.state, version = u.version + 1, updated_at = now()
   WHERE excluded.state || u.state <> u.state`,
};

const addAppState = {
  name: 'import-app-state',
  text: `
  INSERT INTO adk_app_states AS a (app_name, state, updated_at)
  VALUES ($1, $2::jsonb, coalesce(to_timestamp($3), now()))
  ON CONFLICT (app_name)
  DO UPDATE SET state = excluded.state || a.state, version = a.version + 1, updated_at = now()
   WHERE excluded.state || a.state <> a.state`,
};

const otherUserKeys = {
  name: 'import-user-state-others',
  text: `
  SELECT n.key FROM adk_user_states u, jsonb_each($3::jsonb) n
   WHERE u.app_name = $1 AND u.user_id = $2 AND u.state -> n.key <> n.value ORDER BY n.key`,
};

const otherAppKeys = {
  name: 'import-app-state-others',
  text: `
  SELECT n.key FROM adk_app_states a, jsonb_each($2::jsonb) n
   WHERE a.app_name = $1 AND a.state -> n.key <> n.value ORDER BY n.key`,
};
