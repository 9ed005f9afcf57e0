import { type BaseAgent } from '../agent/base-agent';
import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';
import { InMemorySessionService } from '../session/in-memory-session-service';
import { Runner } from './runner';

/** A Runner with everything in this process's memory. */
export class InMemoryRunner extends Runner {
  constructor({
    agent,
    appName = 'InMemoryRunner',
  }: {
    readonly agent: BaseAgent;
    readonly appName?: string;
  }) {
    super({
      agent,
      appName,
      sessionService: new InMemorySessionService(),
      artifactService: new InMemoryArtifactService(),
    });
  }
}
