import { type Part, type SessionKey } from '@skein/contracts';

/** One artifact of a session, or of its user when `filename` begins with `user:` (B60). */
export interface ArtifactName extends SessionKey {
  readonly filename: string;
}

export interface SaveArtifact extends ArtifactName {
  readonly artifact: Part;
  readonly customMetadata?: Record<string, unknown>;
}

export interface LoadArtifact extends ArtifactName {
  /** Absent means the latest. */
  readonly version?: number;
}

/** Where artifacts are kept. Versions of a name are 0, 1, 2 … in the order of saving. */
export abstract class ArtifactService {
  /** Stores the bytes or text of a part; answers its version. Rejects with `artifact.name` for an unsafe name. */
  abstract saveArtifact(request: SaveArtifact): Promise<number>;

  /** The part as it was saved, or nothing. */
  abstract loadArtifact(request: LoadArtifact): Promise<Part | undefined>;

  /** Filenames of the session and of its user, sorted. */
  abstract listArtifactKeys(request: SessionKey): Promise<string[]>;

  /** Removes every version of a name; harmless when it is not there. */
  abstract deleteArtifact(request: ArtifactName): Promise<void>;

  /** Version numbers of a name, ascending. */
  abstract listVersions(request: ArtifactName): Promise<number[]>;
}
