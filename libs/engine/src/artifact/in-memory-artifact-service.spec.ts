import { artifactServiceContract } from '@skein/testing';
import { InMemoryArtifactService } from './in-memory-artifact-service';

artifactServiceContract('InMemoryArtifactService', () => new InMemoryArtifactService());
