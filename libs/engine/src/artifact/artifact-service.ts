import { type Part, type SessionKey } from '@skein/contracts';

/** One artifact of a session, or of its user when `filename` begins with `user:` (B60). */
export interface ArtifactName extends SessionKey {
  readonly filename: string;
}

export interface SaveArtifact extends ArtifactName {
  readonly artifact: Part;
  readonly customMetadata?: Record<string, unknown>;
  /** The same bytes under the same key are one version, however often a call that was cut off saves them again. */
  readonly saveKey?: string;
}

export interface LoadArtifact extends ArtifactName {
  /** Absent means the latest. */
  readonly version?: number;
}

/** What is known of one version beside its content. */
export interface ArtifactVersion {
  readonly version: number;
  /** Its address, for a reference to it from another artifact. */
  readonly canonicalUri: string;
  readonly mimeType?: string;
  readonly customMetadata?: Record<string, unknown>;
  /** Float seconds. */
  readonly createTime: number;
}

/** Where artifacts are kept. Versions of a name are 0, 1, 2 … in the order of saving. */
export abstract class ArtifactService {
  /** Stores the bytes or text of a part; answers its version. Rejects with `artifact.name` for an unsafe name. */
  abstract saveArtifact(request: SaveArtifact): Promise<number>;

  /**
   * The part as it was saved; nothing for one that is not there, or is empty. A part whose `fileData.fileUri` is the
   * address of another version gives that one; rejects with `artifact.reference` when it belongs to somebody else (B60).
   */
  abstract loadArtifact(request: LoadArtifact): Promise<Part | undefined>;

  /** Filenames of the session and of its user, sorted. */
  abstract listArtifactKeys(request: SessionKey): Promise<string[]>;

  /** Removes every version of a name; harmless when it is not there. */
  abstract deleteArtifact(request: ArtifactName): Promise<void>;

  /** Version numbers of a name, ascending. */
  abstract listVersions(request: ArtifactName): Promise<number[]>;

  /** What is known of every version of a name, ascending. */
  abstract listArtifactVersions(request: ArtifactName): Promise<ArtifactVersion[]>;

  /** What is known of one version, the latest when none is named, or nothing. */
  abstract getArtifactVersion(request: LoadArtifact): Promise<ArtifactVersion | undefined>;
}
