import {
  AdkError,
  type ArtifactKey,
  type ArtifactVersion,
  type FindArtifact,
  type ListArtifacts,
  type RecordArtifact,
} from '@skein/contracts';
import { ArtifactMetadata } from '@skein/engine';

interface Row extends ListArtifacts, ArtifactVersion {
  readonly saveKey: string | undefined;
}

/** Versions of artifacts in memory, decided as PostgreSQL decides them. */
export class MemoryArtifactMetadata extends ArtifactMetadata {
  readonly rows: Row[] = [];
  readonly #dropped = new Set<string>();

  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  override async record({ version, ...request }: RecordArtifact): Promise<ArtifactVersion> {
    const rows = this.#of(request);
    const wanted = version === 'latest' ? rows.length - 1 : version;
    const known = rows.find(
      (row) =>
        row.objectKey === request.objectKey ||
        (row.saveKey !== undefined && row.saveKey === request.saveKey) ||
        (row.version === wanted && row.sha256 === request.sha256 && row.mimeType === request.mimeType),
    );
    if (known) {
      if (known.objectKey !== request.objectKey) this.#dropped.add(request.objectKey);
      return known;
    }
    const isNext = typeof version !== 'number' || version === rows.length;
    if (!isNext || this.#dropped.has(request.objectKey)) {
      this.#dropped.add(request.objectKey);
      const code = isNext ? 'artifact.deleted' : 'artifact.version';
      throw new AdkError('conflict', code, `Version ${version} cannot be recorded.`);
    }
    const row = {
      ...request,
      saveKey: request.saveKey,
      version: rows.length,
      createTime: this.now() / 1_000,
    };
    this.rows.push(row);
    return row;
  }

  override async find({ version, ...key }: FindArtifact): Promise<ArtifactVersion | undefined> {
    return version === undefined ? this.#of(key).at(-1) : this.#of(key)[version];
  }

  override async list(key: ListArtifacts): Promise<string[]> {
    const names = this.rows.filter((row) => isInScope(row, key)).map(({ filename }) => filename);
    return [...new Set(names)].sort();
  }

  override async versions(key: ArtifactKey): Promise<number[]> {
    return this.#of(key).map(({ version }) => version);
  }

  override async describe(key: ArtifactKey): Promise<ArtifactVersion[]> {
    return this.#of(key);
  }

  override async delete(key: ArtifactKey): Promise<string[]> {
    const gone = this.#of(key);
    this.rows.splice(0, this.rows.length, ...this.rows.filter((row) => !gone.includes(row)));
    for (const { objectKey } of gone) this.#dropped.add(objectKey);
    return gone.map(({ objectKey }) => objectKey);
  }

  #of(key: ArtifactKey): Row[] {
    return this.rows.filter((row) => row.filename === key.filename && isInScope(row, key));
  }
}

function isInScope(row: Row, { appName, userId, sessionId }: ListArtifacts): boolean {
  if (row.appName !== appName || row.userId !== userId) return false;
  return row.filename.startsWith('user:') || row.sessionId === sessionId;
}
