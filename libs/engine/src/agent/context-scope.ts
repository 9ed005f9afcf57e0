import { type Content } from '@skein/contracts';
import { type ArtifactService } from '../artifact/artifact-service';
import { type DurableSteps } from '../journal/durable-steps';
import { type Frame } from '../journal/frame';
import { type MemoryService } from '../memory/memory-service';

/** What a context looks at: one invocation as it stands, in the runner or as a tool call carried it to a worker. */
export interface ContextScope {
  readonly invocationId: string;
  readonly session: {
    readonly appName: string;
    readonly userId: string;
    readonly id: string;
    state: Record<string, unknown>;
  };
  readonly agentName: string;
  readonly userContent?: Content | undefined;
  readonly artifactService?: ArtifactService | undefined;
  readonly memoryService?: MemoryService | undefined;
  readonly signal: AbortSignal;
  /** What an author's code asks for once, below a frame of this run; none in a tool worker, which has no journal. */
  durableStepsIn?(frame: Frame): DurableSteps;
}
