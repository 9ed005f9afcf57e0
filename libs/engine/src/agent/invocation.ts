import { type Content, type RunConfig, type Session } from '@skein/contracts';
import { type RunnableApp } from '../app/app';
import { type ArtifactService } from '../artifact/artifact-service';
import { type Journal } from '../journal/journal';
import { type ReplayOrder } from '../journal/replay-order';
import { type MemoryService } from '../memory/memory-service';
import { type ToolExecutor } from '../tool/tool-executor';

/** What one segment of an invocation is made of; shared by every agent that takes part. */
export interface Invocation {
  readonly invocationId: string;
  readonly app: RunnableApp;
  readonly session: Session;
  readonly userContent?: Content | undefined;
  readonly runConfig: RunConfig;
  readonly journal: Journal;
  readonly toolExecutor: ToolExecutor;
  readonly artifactService?: ArtifactService | undefined;
  readonly memoryService?: MemoryService | undefined;
  readonly signal: AbortSignal;
  /** Model answers an agent gave that are not in this session's log: of a run inside a tool, those of the outer one. */
  readonly answersBefore?: (agentName: string) => number;
  /** Of a run inside a tool: the order in which the outer one gives out what is stored. */
  readonly outerReplay?: ReplayOrder;
  /** Milliseconds since the epoch. The engine reads no clock of its own. */
  readonly now: () => number;
}
