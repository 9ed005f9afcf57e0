import { AdkError } from '@skein/contracts';
import { type Pool } from 'pg';
import { query } from './query';

/** Of these object keys the ones that no version of an artifact refers to. */
export async function findOrphans(pool: Pool, objectKeys: readonly string[]): Promise<string[]> {
  const rows = await query<{ object_key: string }>(pool, orphansStatement, [objectKeys]);
  return rows.map((row) => row.object_key);
}

/** Lets go of keys that were dropped so long ago that nobody asks for a version of them any more. */
export async function forgetDropped(pool: Pool, beforeMs: number): Promise<void> {
  await query(pool, forgetStatement, [beforeMs]);
}

/** Which database this is, whatever it is called and wherever it was restored. */
export async function readInstallation(pool: Pool): Promise<string> {
  const [row] = await query<{ id: string }>(pool, installationStatement, []);
  if (!row) throw new AdkError('internal', 'store.failed', 'The database does not know its own id.');
  return row.id;
}

const orphansStatement = {
  name: 'find-orphans',
  text: `
  SELECT k.object_key FROM unnest($1::text[]) AS k(object_key)
   WHERE NOT EXISTS (SELECT FROM adk_artifacts a WHERE a.object_key = k.object_key)`,
};

const forgetStatement = {
  name: 'forget-dropped',
  text: 'DELETE FROM adk_dropped_objects WHERE dropped_at < to_timestamp($1::float8 / 1000)',
};

const installationStatement = {
  name: 'read-installation',
  text: 'SELECT id::text FROM adk_installation',
};
