import { type Part, type SessionKey } from '@skein/contracts';
import { assertArtifactName } from './artifact-name';
import { ArtifactService, type ArtifactName, type LoadArtifact, type SaveArtifact } from './artifact-service';

const USER_PREFIX = 'user:';

/** Artifacts in this process's memory, for tests and single-process use. */
export class InMemoryArtifactService extends ArtifactService {
  readonly #versions = new Map<string, Part[]>();

  override async saveArtifact(request: SaveArtifact): Promise<number> {
    assertArtifactName(request.filename);
    const key = keyOf(request);
    const versions = this.#versions.get(key) ?? [];
    versions.push(structuredClone(request.artifact));
    this.#versions.set(key, versions);
    return versions.length - 1;
  }

  override async loadArtifact(request: LoadArtifact): Promise<Part | undefined> {
    return structuredClone(this.#versions.get(keyOf(request))?.at(request.version ?? -1));
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
}

function keyOf(name: ArtifactName): string {
  return JSON.stringify([scopeOf(name, name.filename), name.filename]);
}

function scopeOf({ appName, userId, sessionId }: SessionKey, filename: string): string {
  return JSON.stringify(filename.startsWith(USER_PREFIX) ? [appName, userId] : [appName, userId, sessionId]);
}
