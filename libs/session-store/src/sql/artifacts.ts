import {
  AdkError,
  type ArtifactKey,
  type ArtifactVersion,
  type FindArtifact,
  type ListArtifacts,
  type RecordArtifact,
} from '@skein/contracts';
import { type Pool } from 'pg';
import { lockArtifact, placeOf } from './lock-artifact';
import { inTransaction, query } from './query';

/**
 * Gives the next version to bytes that are stored already; an object, or a save, that has one keeps it. A key that gets none
 * here gets none later, so that an earlier request for it that is still on its way finds nothing to give.
 */
export async function recordArtifact(pool: Pool, artifact: RecordArtifact): Promise<ArtifactVersion> {
  const place = placeOf(artifact);
  const [row] = await inTransaction(pool, async (client) => {
    await lockArtifact(client, place);
    return query<RecordedRow>(client, recordStatement, [
      ...place,
      artifact.objectKey,
      artifact.mimeType,
      artifact.sizeBytes,
      artifact.sha256,
      artifact.customMetadata === undefined ? null : JSON.stringify(artifact.customMetadata),
      artifact.saveKey ?? null,
      typeof artifact.version === 'number' ? artifact.version : null,
      artifact.version === 'latest',
      artifact.sniffedType ?? null,
    ]);
  });
  if (row?.has_version) return toVersion(row);
  throw row?.is_next ? deleted() : notNext(artifact.version);
}

function notNext(version: RecordArtifact['version']): AdkError {
  const sentence = `Version ${version} of this artifact has other content, or is not the next one.`;
  return new AdkError('conflict', 'artifact.version', sentence);
}

function deleted(): AdkError {
  const sentence = 'These bytes were deleted while they were saved, or are those of another artifact.';
  return new AdkError('conflict', 'artifact.deleted', sentence);
}

/** One version of an artifact, the latest when none is named; absent when there is none. */
export async function findArtifact(pool: Pool, request: FindArtifact): Promise<ArtifactVersion | undefined> {
  const [row] = await query<VersionRow>(pool, findStatement, [...placeOf(request), request.version ?? null]);
  return row && toVersion(row);
}

/** Filenames of the session and of its user, sorted. */
export async function listArtifacts(
  pool: Pool,
  { appName, userId, sessionId }: ListArtifacts,
): Promise<string[]> {
  const rows = await query<{ filename: string }>(pool, listStatement, [appName, userId, sessionId]);
  return rows.map(({ filename }) => filename);
}

/** Version numbers of one artifact, ascending. */
export async function listArtifactVersions(pool: Pool, key: ArtifactKey): Promise<number[]> {
  const rows = await query<{ version: number }>(pool, versionsStatement, placeOf(key));
  return rows.map(({ version }) => version);
}

/** Every version of one artifact, ascending. */
export async function describeArtifact(pool: Pool, key: ArtifactKey): Promise<ArtifactVersion[]> {
  const rows = await query<VersionRow>(pool, describeStatement, placeOf(key));
  return rows.map(toVersion);
}

/**
 * Forgets every version; answers the object keys nobody refers to any more. Waits for a rewind of the session, which
 * may be about to refer to one of them again.
 */
export async function deleteArtifact(pool: Pool, key: ArtifactKey): Promise<string[]> {
  return inTransaction(pool, async (client) => {
    const place = placeOf(key);
    await query(client, lockStatement, [key.appName, key.userId, key.sessionId]);
    await lockArtifact(client, place);
    const rows = await query<{ object_key: string }>(client, deleteStatement, place);
    return rows.map((row) => row.object_key);
  });
}

function toVersion(row: VersionRow): ArtifactVersion {
  return {
    filename: row.filename,
    version: row.version,
    objectKey: row.object_key,
    mimeType: row.mime_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    sniffedType: row.sniffed_type ?? undefined,
    customMetadata: row.custom_metadata ?? undefined,
    createTime: row.created_seconds,
  };
}

interface VersionRow {
  readonly filename: string;
  readonly version: number;
  readonly object_key: string;
  readonly mime_type: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly sniffed_type: string | null;
  readonly custom_metadata: Record<string, unknown> | null;
  readonly created_seconds: number;
}

interface RecordedRow extends VersionRow {
  readonly has_version: boolean;
  /** Whether the version that was asked for could be given. */
  readonly is_next: boolean;
}

const COLUMNS = `filename, version, object_key, mime_type, size_bytes, sha256, sniffed_type, custom_metadata,
  extract(epoch FROM inserted_at)::float8 AS created_seconds`;
const IS_PLACE = 'app_name = $1 AND user_id = $2 AND session_id = $3 AND filename = $4';

const recordStatement = {
  name: 'record-artifact',
  text: `
  WITH place AS (
    SELECT max(version) AS latest, coalesce($11::integer = coalesce(max(version) + 1, 0), true) AS is_next
      FROM adk_artifacts WHERE ${IS_PLACE}
  ), known AS (
    SELECT a.* FROM adk_artifacts a, place
     WHERE ${IS_PLACE}
       AND (object_key = $5 OR save_key = $10
            OR (version = CASE WHEN $12 THEN latest ELSE $11::integer END AND sha256 = $8 AND mime_type = $6))
     ORDER BY version LIMIT 1
  ), recorded AS (
    INSERT INTO adk_artifacts (app_name, user_id, session_id, filename, version, object_key, mime_type, size_bytes,
                               sha256, custom_metadata, save_key, sniffed_type)
    SELECT $1, $2, $3, $4, coalesce(latest + 1, 0), $5, $6, $7, $8, $9::jsonb, $10, $13
      FROM place
     WHERE is_next AND NOT EXISTS (SELECT FROM known)
       AND NOT EXISTS (SELECT FROM adk_dropped_objects d WHERE d.object_key = $5)
       AND NOT EXISTS (SELECT FROM adk_artifacts a WHERE a.object_key = $5)
    RETURNING *
  ), answered AS (
    SELECT * FROM known UNION ALL SELECT * FROM recorded
  ), dropped AS (
    INSERT INTO adk_dropped_objects (object_key)
    SELECT $5 WHERE NOT EXISTS (SELECT FROM answered WHERE object_key = $5)
                AND NOT EXISTS (SELECT FROM adk_artifacts a WHERE a.object_key = $5)
    ON CONFLICT DO NOTHING
  )
  SELECT ${COLUMNS}, version IS NOT NULL AS has_version, is_next FROM place LEFT JOIN answered ON true`,
};

const findStatement = {
  name: 'find-artifact',
  text: `
  SELECT ${COLUMNS} FROM adk_artifacts
   WHERE ${IS_PLACE} AND ($5::integer IS NULL OR version = $5)
   ORDER BY version DESC LIMIT 1`,
};

const listStatement = {
  name: 'list-artifacts',
  text: `
  SELECT DISTINCT filename FROM adk_artifacts
   WHERE app_name = $1 AND user_id = $2 AND session_id IN ($3, '')
   ORDER BY filename`,
};

const versionsStatement = {
  name: 'list-artifact-versions',
  text: `SELECT version FROM adk_artifacts WHERE ${IS_PLACE} ORDER BY version`,
};

const describeStatement = {
  name: 'describe-artifact',
  text: `SELECT ${COLUMNS} FROM adk_artifacts WHERE ${IS_PLACE} ORDER BY version`,
};

const lockStatement = {
  name: 'lock-session-of-artifact',
  text: 'SELECT 1 FROM adk_sessions WHERE app_name = $1 AND user_id = $2 AND id = $3 FOR NO KEY UPDATE',
};

// A version that a rewind copied has the object of the one it copies. Both are of one session, so of one name: only the
// versions of that name can share an object, and all of them go.
const deleteStatement = {
  name: 'delete-artifact',
  text: `
  WITH gone AS (
    DELETE FROM adk_artifacts WHERE ${IS_PLACE} RETURNING object_key
  ), dropped AS (
    INSERT INTO adk_dropped_objects (object_key)
    SELECT DISTINCT object_key FROM gone WHERE object_key <> '' ON CONFLICT DO NOTHING
    RETURNING object_key
  )
  SELECT object_key FROM dropped`,
};
