import { type ArtifactKey } from '@skein/contracts';
import { type PoolClient } from 'pg';
import { query } from './query';

/** App, user, session and filename. */
export type ArtifactPlace = readonly [string, string, string, string];

/** A user's artifacts belong to no session (B60); an empty session id is no client's, so it names them. */
export function placeOf({ appName, userId, sessionId, filename }: ArtifactKey): ArtifactPlace {
  return [appName, userId, filename.startsWith('user:') ? '' : sessionId, filename];
}

/**
 * Lets one writer of a name in at a time, until its transaction ends: each sees what the one before left, in statements
 * after this one. Whoever locks the session as well does so first.
 */
export async function lockArtifact(client: PoolClient, place: ArtifactPlace): Promise<void> {
  await query(client, statement, [JSON.stringify(place)]);
}

const statement = {
  name: 'lock-artifact',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('artifact ' || $1, 0))`,
};
