import { type Readable } from 'node:stream';
import { AdkError, type ArtifactVersion } from '@skein/contracts';
import {
  type ArtifactMetadata,
  type ArtifactName,
  type ArtifactVersion as ShownVersion,
  assertArtifactName,
  type LoadArtifact,
  referenceIn,
} from '@skein/engine';
import { type ByteRange, type ByteSource, type LinkOptions, type ObjectStore } from './object-store';
import { assertFitsPart, isLink, partOfBytes, storedMimeType } from './part-bytes';
import { openVersion, storeVersion } from './stored-bytes';
import { toArtifactVersion } from './to-artifact-version';

const MAX_REFERENCES = 8;

export interface SaveContent extends ArtifactName {
  readonly mimeType: string;
  /** Which it is to be: the next number, or `latest` for whatever number that is. */
  readonly version: number | 'latest';
  readonly limitBytes: number;
  /** In hex; other bytes are refused. */
  readonly sha256?: string | undefined;
}

/** What is told of a saved version. */
export interface ContentVersion extends ShownVersion {
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** One version's bytes, as they were saved. */
export interface ArtifactContent {
  readonly version: ArtifactVersion;
  /** Whoever opens it reads it to its end or destroys it. */
  open(range?: ByteRange): Promise<Readable>;
  /** An address that needs no permission until it expires; nothing where the store has none. */
  link(options: LinkOptions): Promise<string | undefined>;
}

/** Artifacts as streams of bytes, beside ArtifactService, which has each as one part in memory. */
export class ArtifactContents {
  constructor(
    private readonly objects: ObjectStore,
    private readonly metadata: ArtifactMetadata,
  ) {}

  /**
   * Stores bytes as a version, and answers it. The same again is the same version: rejects with `artifact.version` for a
   * number that is neither the next nor has this content, with `artifact.digest` for other bytes than announced, and with
   * `artifact.too-large` and `artifact.empty`; nothing is stored then.
   */
  async save(request: SaveContent, content: ByteSource): Promise<ContentVersion> {
    const { appName, userId, sessionId, filename, version, limitBytes, sha256 } = request;
    assertArtifactName(filename);
    const mimeType = storedMimeType(request.mimeType);
    const source = checked(content, limitBytes);
    const saved = await storeVersion(this.objects, this.metadata, source, (stored) => {
      if (sha256 !== undefined && sha256 !== stored.sha256) {
        throw new AdkError('invalid', 'artifact.digest', 'The bytes are not those that were announced.');
      }
      return { appName, userId, sessionId, filename, version, mimeType };
    });
    return { ...toArtifactVersion(request, saved), sizeBytes: saved.sizeBytes, sha256: saved.sha256 };
  }

  /** A version, the latest when none is named, or nothing. A reference leads to what it refers to (B60). */
  async find(request: LoadArtifact): Promise<ArtifactContent | undefined> {
    let wanted = request;
    for (let followed = 0; followed <= MAX_REFERENCES; followed++) {
      const found = await this.#find(wanted);
      // An empty version is what a rewind leaves of an artifact that was made later: nothing (B55).
      if (!found || found.sizeBytes === 0) return undefined;
      if (!isLink(found.mimeType)) return this.#contentOf(found);
      wanted = await this.#follow(found, request);
    }
    throw new AdkError(
      'invalid',
      'artifact.reference',
      'This artifact refers to itself, or by too many others.',
    );
  }

  #find({
    appName,
    userId,
    sessionId,
    filename,
    version,
  }: LoadArtifact): Promise<ArtifactVersion | undefined> {
    assertArtifactName(filename);
    const key = { appName, userId, sessionId, filename };
    return this.metadata.find(version === undefined ? key : { ...key, version });
  }

  async #follow(link: ArtifactVersion, request: LoadArtifact): Promise<LoadArtifact> {
    assertFitsPart(link.sizeBytes);
    const chunks: Uint8Array[] = [];
    const content: AsyncIterable<Uint8Array> = await openVersion(this.objects, link);
    for await (const chunk of content) chunks.push(chunk);
    const part = partOfBytes({ bytes: Buffer.concat(chunks), mimeType: link.mimeType });
    const reference = referenceIn(part, request);
    if (reference) return reference;
    throw new AdkError('invalid', 'artifact.elsewhere', 'This artifact only says where its content is.');
  }

  #contentOf(version: ArtifactVersion): ArtifactContent {
    return {
      version,
      open: (range) => openVersion(this.objects, version, range),
      link: (options) => this.objects.link(version.objectKey, options),
    };
  }
}

async function* checked(content: ByteSource, limitBytes: number): AsyncIterable<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
    yield chunk;
  }
  if (sizeBytes === 0) throw new AdkError('invalid', 'artifact.empty', 'An artifact needs content.');
}

/** Also for a size that is announced. */
export function tooLarge(limitBytes: number): AdkError {
  return new AdkError('invalid', 'artifact.too-large', `The content is larger than ${limitBytes} bytes.`);
}
