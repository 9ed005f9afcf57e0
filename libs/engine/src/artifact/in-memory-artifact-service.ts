import { type Part, type SessionKey } from '@skein/contracts';
import { systemClock } from '../clock/system-clock';
import { assertArtifactName } from './artifact-name';
import {
  type ArtifactName,
  ArtifactService,
  type ArtifactVersion,
  type LoadArtifact,
  type SaveArtifact,
} from './artifact-service';
import { artifactUri, referenceIn } from './artifact-uri';
import { resolveArtifact } from './resolve-artifact';

interface StoredVersion {
  readonly part: Part;
  readonly metadata: ArtifactVersion;
}

const USER_PREFIX = 'user:';

/** Artifacts in this process's memory, for tests and single-process use. */
export class InMemoryArtifactService extends ArtifactService {
  readonly #versions = new Map<string, StoredVersion[]>();

  constructor(private readonly now: () => number = systemClock) {
    super();
  }

  override async saveArtifact({ artifact, customMetadata, ...name }: SaveArtifact): Promise<number> {
    assertArtifactName(name.filename);
    referenceIn(artifact, name);
    const versions = this.#versions.get(keyOf(name)) ?? [];
    const version = versions.length;
    const mimeType = mimeTypeOf(artifact);
    const metadata = {
      version,
      canonicalUri: artifactUri({ ...name, version }),
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(customMetadata === undefined ? {} : { customMetadata }),
      createTime: this.now() / 1000,
    };
    versions.push(structuredClone({ part: artifact, metadata }));
    this.#versions.set(keyOf(name), versions);
    return version;
  }

  override async loadArtifact(request: LoadArtifact): Promise<Part | undefined> {
    return structuredClone(await resolveArtifact(request, async (wanted) => this.#find(wanted)?.part));
  }

  override async listArtifactKeys(session: SessionKey): Promise<string[]> {
    const scopes = [scopeOf(session, ''), scopeOf(session, USER_PREFIX)];
    return [...this.#versions.keys()]
      .map((key) => JSON.parse(key) as [string, string])
      .filter(([scope]) => scopes.includes(scope))
      .map(([, filename]) => filename)
      .sort();
  }

  override async deleteArtifact(request: ArtifactName): Promise<void> {
    this.#versions.delete(keyOf(request));
  }

  override async listVersions(request: ArtifactName): Promise<number[]> {
    return [...(this.#versions.get(keyOf(request)) ?? []).keys()];
  }

  override async listArtifactVersions(request: ArtifactName): Promise<ArtifactVersion[]> {
    return structuredClone((this.#versions.get(keyOf(request)) ?? []).map(({ metadata }) => metadata));
  }

  override async getArtifactVersion(request: LoadArtifact): Promise<ArtifactVersion | undefined> {
    return structuredClone(this.#find(request)?.metadata);
  }

  #find(request: LoadArtifact): StoredVersion | undefined {
    return this.#versions.get(keyOf(request))?.at(request.version ?? -1);
  }
}

/** Of what a reference leads to, nothing is known here. */
function mimeTypeOf({ text, inlineData, fileData }: Part): string | undefined {
  if (inlineData) return inlineData.mimeType;
  return text === undefined ? fileData?.mimeType : 'text/plain';
}

function keyOf(name: ArtifactName): string {
  return JSON.stringify([scopeOf(name, name.filename), name.filename]);
}

function scopeOf({ appName, userId, sessionId }: SessionKey, filename: string): string {
  return JSON.stringify(filename.startsWith(USER_PREFIX) ? [appName, userId] : [appName, userId, sessionId]);
}
