import { createHash } from 'node:crypto';
import { type ArtifactVersion as StoredVersion, type Part, type SessionKey } from '@skein/contracts';
import {
  type ArtifactMetadata,
  type ArtifactName,
  ArtifactService,
  type ArtifactVersion,
  assertArtifactName,
  type LoadArtifact,
  referenceIn,
  resolveArtifact,
  type SaveArtifact,
} from '@skein/engine';
import { type ObjectStore } from './object-store';
import { assertFitsPart, bytesOfPart, partOfBytes } from './part-bytes';
import { dropObjects, openVersion, storeVersion } from './stored-bytes';
import { toArtifactVersion } from './to-artifact-version';

/** Artifacts in an object store, their versions decided elsewhere. */
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
    assertFitsPart(bytes.byteLength);
    const { version } = await storeVersion(this.objects, this.metadata, [bytes], () => ({
      ...keyOf(name),
      mimeType,
      ...(customMetadata && { customMetadata }),
      ...(saveKey !== undefined && { saveKey: saveKeyOf(saveKey, bytes) }),
    }));
    return version;
  }

  override async loadArtifact(request: LoadArtifact): Promise<Part | undefined> {
    return resolveArtifact(request, (wanted) => this.#read(wanted));
  }

  async #read(request: LoadArtifact): Promise<Part | undefined> {
    const found = await this.#find(request);
    if (!found || found.sizeBytes === 0) return undefined;
    assertFitsPart(found.sizeBytes);
    const chunks: Uint8Array[] = [];
    const content: AsyncIterable<Uint8Array> = await openVersion(this.objects, found);
    for await (const chunk of content) chunks.push(chunk);
    return partOfBytes({ bytes: Buffer.concat(chunks), mimeType: found.mimeType });
  }

  override listArtifactKeys(session: SessionKey): Promise<string[]> {
    const { appName, userId, sessionId } = session;
    return this.metadata.list({ appName, userId, sessionId });
  }

  override async deleteArtifact(name: ArtifactName): Promise<void> {
    assertArtifactName(name.filename);
    // From here on the name is gone, whatever becomes of its bytes.
    await dropObjects(this.objects, await this.metadata.delete(keyOf(name)));
  }

  override async listVersions(name: ArtifactName): Promise<number[]> {
    assertArtifactName(name.filename);
    return this.metadata.versions(keyOf(name));
  }

  override async listArtifactVersions(name: ArtifactName): Promise<ArtifactVersion[]> {
    assertArtifactName(name.filename);
    return (await this.metadata.describe(keyOf(name))).map((stored) => toArtifactVersion(name, stored));
  }

  override async getArtifactVersion(request: LoadArtifact): Promise<ArtifactVersion | undefined> {
    const found = await this.#find(request);
    return found && toArtifactVersion(request, found);
  }

  async #find({ version, ...name }: LoadArtifact): Promise<StoredVersion | undefined> {
    assertArtifactName(name.filename);
    return this.metadata.find({ ...keyOf(name), ...(version === undefined ? {} : { version }) });
  }
}

/** A call that is run again and saves the same is recorded once; other bytes are another save. */
function saveKeyOf(saveKey: string, bytes: Uint8Array): string {
  return createHash('sha256').update(saveKey).update('\0').update(bytes).digest('hex');
}

/** Only what names it: callers may pass more. */
function keyOf({ appName, userId, sessionId, filename }: ArtifactName): ArtifactName {
  return { appName, userId, sessionId, filename };
}
