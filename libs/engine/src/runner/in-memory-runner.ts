import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';
import { InMemoryMemoryService } from '../memory/in-memory-memory-service';
import { InMemorySessionService } from '../session/in-memory-session-service';
import { Runner, type RunnerConfig } from './runner';

/** A Runner with everything in this process's memory. */
export class InMemoryRunner extends Runner {
  constructor({ appName, ...config }: Pick<RunnerConfig, 'app' | 'agent' | 'plugins' | 'appName' | 'now'>) {
    super({
      ...config,
      appName: appName ?? config.app?.name ?? 'InMemoryRunner',
      sessionService: new InMemorySessionService(),
      artifactService: new InMemoryArtifactService(),
      memoryService: new InMemoryMemoryService(),
    });
  }
}
