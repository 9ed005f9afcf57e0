import { AdkError, type SessionKey } from '@skein/contracts';
import { type ArtifactBefore } from '@skein/engine';
import { type PoolClient } from 'pg';
import { lockArtifact } from './lock-artifact';
import { query } from './query';

/**
 * The next version of a session's artifact, with the content of an earlier one, or with none (B55). The object is not
 * copied: both versions refer to it. The caller holds the session's row, which a delete of the artifact takes as well.
 */
export async function restoreArtifact(
  client: PoolClient,
  { appName, userId, sessionId }: SessionKey,
  { filename, version }: ArtifactBefore,
): Promise<number> {
  const values = [appName, userId, sessionId, filename, version ?? null];
  await lockArtifact(client, [appName, userId, sessionId, filename]);
  const [row] = await query<{ version: number }>(client, statement, values);
  if (!row) throw new AdkError('internal', 'store.failed', 'Restoring an artifact answered no row.');
  return row.version;
}

/** Of no bytes. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

// A version that was deleted since, or never was, is restored as empty: it loads as nothing, as it would have.
const statement = {
  name: 'restore-artifact',
  text: `
  INSERT INTO adk_artifacts (app_name, user_id, session_id, filename, version, object_key, mime_type, size_bytes,
                             sha256, custom_metadata, sniffed_type)
  SELECT $1, $2, $3, $4, n.version, coalesce(a.object_key, ''), coalesce(a.mime_type, ''), coalesce(a.size_bytes, 0),
         coalesce(a.sha256, '${EMPTY_SHA256}'), a.custom_metadata, a.sniffed_type
    FROM (SELECT coalesce(max(version) + 1, 0) AS version FROM adk_artifacts
           WHERE app_name = $1 AND user_id = $2 AND session_id = $3 AND filename = $4) n
    LEFT JOIN adk_artifacts a
      ON a.app_name = $1 AND a.user_id = $2 AND a.session_id = $3 AND a.filename = $4 AND a.version = $5
  RETURNING version`,
};
