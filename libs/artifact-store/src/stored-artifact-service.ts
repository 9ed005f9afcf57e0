import { randomUUID } from 'node:crypto';
import { AdkError, type Part, type SessionKey } from '@skein/contracts';
import {
  type ArtifactMetadata,
  type ArtifactName,
  ArtifactService,
  assertArtifactName,
  type LoadArtifact,
  type SaveArtifact,
} from '@skein/engine';
import { type ObjectStore } from './object-store';
import { bytesOfPart, partOfBytes } from './part-bytes';

/**
 * Artifacts in an object store, their versions decided elsewhere. The bytes go first: a crash in between leaves an
 * object nobody refers to, never a version without bytes.
 */
export class StoredArtifactService extends ArtifactService {
  constructor(
    private readonly objects: ObjectStore,
    private readonly metadata: ArtifactMetadata,
  ) {
    super();
  }

  override async saveArtifact({ artifact, customMetadata, ...name }: SaveArtifact): Promise<number> {
    assertArtifactName(name.filename);
    const { bytes, mimeType } = bytesOfPart(artifact);
    const objectKey = randomUUID();
    const stored = await this.objects.put(objectKey, bytes);
    const { version } = await this.metadata.record({
      ...keyOf(name),
      ...stored,
      objectKey,
      mimeType,
      ...(customMetadata && { customMetadata }),
    });
    return version;
  }

  override async loadArtifact({ version, ...name }: LoadArtifact): Promise<Part | undefined> {
    assertArtifactName(name.filename);
    const found = await this.metadata.find({ ...keyOf(name), ...(version === undefined ? {} : { version }) });
    if (!found) return undefined;
    const bytes = await this.objects.get(found.objectKey);
    if (bytes) return partOfBytes({ bytes, mimeType: found.mimeType });
    throw new AdkError(
      'unavailable',
      'artifact.bytes-missing',
      `The bytes of ${found.filename}, version ${found.version}, are not in the object store.`,
    );
  }

  override listArtifactKeys(session: SessionKey): Promise<string[]> {
    const { appName, userId, sessionId } = session;
    return this.metadata.list({ appName, userId, sessionId });
  }

  override async deleteArtifact(name: ArtifactName): Promise<void> {
    assertArtifactName(name.filename);
    for (const objectKey of await this.metadata.delete(keyOf(name))) await this.objects.delete(objectKey);
  }

  override async listVersions(name: ArtifactName): Promise<number[]> {
    assertArtifactName(name.filename);
    return this.metadata.versions(keyOf(name));
  }
}

/** Only what names it: callers may pass more. */
function keyOf({ appName, userId, sessionId, filename }: ArtifactName): ArtifactName {
  return { appName, userId, sessionId, filename };
}
