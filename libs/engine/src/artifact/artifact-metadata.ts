import {
  type ArtifactKey,
  type ArtifactVersion,
  type FindArtifact,
  type ListArtifacts,
  type RecordArtifact,
} from '@skein/contracts';

/** Which artifacts there are. The bytes lie elsewhere; a version exists from the moment it is recorded here. */
export abstract class ArtifactMetadata {
  /**
   * Gives the next version of a name to bytes that are stored already under `objectKey`. Answers another object than that
   * where the same save was recorded before; rejects with `artifact.version` where `request.version` cannot be, and with
   * `artifact.deleted` where the object has been deleted. An object that got no version gets none later.
   */
  abstract record(request: RecordArtifact): Promise<ArtifactVersion>;

  /** One version, the latest when none is named, or nothing. */
  abstract find(request: FindArtifact): Promise<ArtifactVersion | undefined>;

  /** Filenames of the session and of its user, sorted. */
  abstract list(request: ListArtifacts): Promise<string[]>;

  /** Version numbers of a name, ascending. */
  abstract versions(request: ArtifactKey): Promise<number[]>;

  /** Every version of a name, ascending. */
  abstract describe(request: ArtifactKey): Promise<ArtifactVersion[]>;

  /** Forgets every version of a name; answers the object keys that nothing refers to any more. */
  abstract delete(request: ArtifactKey): Promise<string[]>;
}
