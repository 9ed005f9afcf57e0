import {
  type ArtifactName,
  type ArtifactVersion,
  InMemoryArtifactService,
  type LoadArtifact,
  type SaveArtifact,
} from '@skein/engine';
import {
  type ArtifactVersion as StoredVersion,
  type FindArtifact,
  type RecordArtifact,
  type Part,
  type SessionKey,
} from '@skein/contracts';
import { MemoryArtifactMetadata } from '@skein/testing';
import { type FakeSessionSvc } from './fake-session-svc';

/** Artifacts in memory that note what they are asked beside session-svc's calls, and fail when that does. */
export class FakeArtifacts extends InMemoryArtifactService {
  constructor(private readonly svc: FakeSessionSvc) {
    super(() => 1_763_640_000_500);
  }

  override async saveArtifact(request: SaveArtifact): Promise<number> {
    this.svc.record('saveArtifact', request);
    return super.saveArtifact(request);
  }

  override async loadArtifact(request: LoadArtifact): Promise<Part | undefined> {
    this.svc.record('loadArtifact', request);
    return super.loadArtifact(request);
  }

  override async listArtifactKeys(session: SessionKey): Promise<string[]> {
    this.svc.record('listArtifactKeys', session);
    return super.listArtifactKeys(session);
  }

  override async deleteArtifact(request: ArtifactName): Promise<void> {
    this.svc.record('deleteArtifact', request);
    return super.deleteArtifact(request);
  }

  override async listVersions(request: ArtifactName): Promise<number[]> {
    this.svc.record('listVersions', request);
    return super.listVersions(request);
  }

  override async listArtifactVersions(request: ArtifactName): Promise<ArtifactVersion[]> {
    this.svc.record('listArtifactVersions', request);
    return super.listArtifactVersions(request);
  }

  override async getArtifactVersion(request: LoadArtifact): Promise<ArtifactVersion | undefined> {
    this.svc.record('getArtifactVersion', request);
    return super.getArtifactVersion(request);
  }
}

/** Versions of content in memory, noted and failing in the same way. */
export class FakeArtifactMetadata extends MemoryArtifactMetadata {
  constructor(private readonly svc: FakeSessionSvc) {
    super(() => 1_763_640_000_500);
  }

  override async record(request: RecordArtifact): Promise<StoredVersion> {
    this.svc.record('recordArtifact', request);
    return super.record(request);
  }

  override async find(request: FindArtifact): Promise<StoredVersion | undefined> {
    this.svc.record('findArtifact', request);
    return super.find(request);
  }
}
