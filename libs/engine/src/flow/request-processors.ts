import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { type LlmRequest } from '../model/llm-request';
import { basicProcessor } from './processors/basic';
import { contentsProcessor } from './processors/contents';
import { identityProcessor } from './processors/identity';
import { instructionsProcessor } from './processors/instructions';
import { toolsProcessor } from './processors/tools';

/** One step of building a model request: it changes the request in place and may yield events of its own. */
export interface RequestProcessor {
  readonly name: string;
  run(agent: LlmAgent, context: InvocationContext, request: LlmRequest): AsyncGenerator<Event, void>;
}

/** The pipeline, in adk-python's order (B24). */
export const requestProcessors: readonly RequestProcessor[] = [
  // First, because it lays the author's own settings down and everything after adds to them.
  basicProcessor,
  // Before identity: the author's words open the system instruction, and a cached prefix stays the same over agents.
  instructionsProcessor,
  identityProcessor,
  // After the instructions, which may become contents; before whatever rewrites contents.
  contentsProcessor,
  // Last, because a tool may change anything that the others built.
  toolsProcessor,
];
