import { type ArtifactVersion as StoredVersion } from '@skein/contracts';
import { type ArtifactName, artifactUri, type ArtifactVersion } from '@skein/engine';
import { shownMimeType } from './part-bytes';

/** What is told of a stored version. */
export function toArtifactVersion(
  { appName, userId, sessionId, filename }: ArtifactName,
  stored: StoredVersion,
): ArtifactVersion {
  const { version, customMetadata, createTime } = stored;
  const mimeType = shownMimeType(stored.mimeType);
  return {
    version,
    canonicalUri: artifactUri({ appName, userId, sessionId, filename, version }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(customMetadata === undefined ? {} : { customMetadata }),
    createTime,
  };
}
