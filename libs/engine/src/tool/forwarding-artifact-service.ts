import { type Part, type SessionKey } from '@skein/contracts';
import { type Context } from '../agent/context';
import {
  type ArtifactName,
  ArtifactService,
  type ArtifactVersion,
  type LoadArtifact,
  type SaveArtifact,
} from '../artifact/artifact-service';

/** The artifacts of an agent that runs as a tool: those of the session it is called in, noted on the call (B36). */
export class ForwardingArtifactService extends ArtifactService {
  constructor(private readonly toolContext: Context) {
    super();
  }

  override saveArtifact({ filename, artifact }: SaveArtifact): Promise<number> {
    return this.toolContext.saveArtifact(filename, artifact);
  }

  override loadArtifact({ filename, version }: LoadArtifact): Promise<Part | undefined> {
    return this.toolContext.loadArtifact(filename, version);
  }

  override listArtifactKeys(_session: SessionKey): Promise<string[]> {
    return this.toolContext.listArtifacts();
  }

  override deleteArtifact(name: ArtifactName): Promise<void> {
    return this.#service.deleteArtifact(name);
  }

  override listVersions(name: ArtifactName): Promise<number[]> {
    return this.#service.listVersions(name);
  }

  override listArtifactVersions(name: ArtifactName): Promise<ArtifactVersion[]> {
    return this.#service.listArtifactVersions(name);
  }

  override getArtifactVersion(name: LoadArtifact): Promise<ArtifactVersion | undefined> {
    return this.#service.getArtifactVersion(name);
  }

  get #service(): ArtifactService {
    const { artifactService } = this.toolContext.contextScope;
    if (!artifactService) throw new Error('An agent was given artifacts of a run that has none.');
    return artifactService;
  }
}
