import { createHash, randomUUID } from 'node:crypto';
import {
  AdkError,
  type ArtifactVersion as StoredVersion,
  type Part,
  type SessionKey,
} from '@skein/contracts';
import {
  type ArtifactMetadata,
  type ArtifactName,
  ArtifactService,
  artifactUri,
  type ArtifactVersion,
  assertArtifactName,
  type LoadArtifact,
  referenceIn,
  resolveArtifact,
  type SaveArtifact,
} from '@skein/engine';
import { type ObjectStore } from './object-store';
import { bytesOfPart, partOfBytes, shownMimeType } from './part-bytes';

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

  override async saveArtifact({ artifact, customMetadata, saveKey, ...name }: SaveArtifact): Promise<number> {
    assertArtifactName(name.filename);
    referenceIn(artifact, name);
    const { bytes, mimeType } = bytesOfPart(artifact);
    const objectKey = saveKey === undefined ? randomUUID() : keyOfSave(saveKey, bytes);
    const stored = await this.objects.put(objectKey, [bytes]);
    const { version } = await this.metadata.record({
      ...keyOf(name),
      ...stored,
      objectKey,
      mimeType,
      ...(customMetadata && { customMetadata }),
    });
    return version;
  }

  override async loadArtifact(request: LoadArtifact): Promise<Part | undefined> {
    return resolveArtifact(request, (wanted) => this.#read(wanted));
  }

  async #read(request: LoadArtifact): Promise<Part | undefined> {
    const found = await this.#find(request);
    if (!found || found.sizeBytes === 0) return undefined;
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

  override async listArtifactVersions(name: ArtifactName): Promise<ArtifactVersion[]> {
    assertArtifactName(name.filename);
    return (await this.metadata.describe(keyOf(name))).map((stored) => toVersion(name, stored));
  }

  override async getArtifactVersion(request: LoadArtifact): Promise<ArtifactVersion | undefined> {
    const found = await this.#find(request);
    return found && toVersion(request, found);
  }

  async #find({ version, ...name }: LoadArtifact): Promise<StoredVersion | undefined> {
    assertArtifactName(name.filename);
    return this.metadata.find({ ...keyOf(name), ...(version === undefined ? {} : { version }) });
  }
}

function toVersion(name: ArtifactName, stored: StoredVersion): ArtifactVersion {
  const { version, customMetadata, createTime } = stored;
  const mimeType = shownMimeType(stored.mimeType);
  return {
    version,
    canonicalUri: artifactUri({ ...keyOf(name), version }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(customMetadata === undefined ? {} : { customMetadata }),
    createTime,
  };
}

/** A call that is run again and saves the same has the same object, which is recorded once; other bytes are another. */
function keyOfSave(saveKey: string, bytes: Uint8Array): string {
  return createHash('sha256').update(saveKey).update('\0').update(bytes).digest('hex');
}

/** Only what names it: callers may pass more. */
function keyOf({ appName, userId, sessionId, filename }: ArtifactName): ArtifactName {
  return { appName, userId, sessionId, filename };
}
