import { basicProcessor } from './processors/basic';
import { contentsProcessor } from './processors/contents';
import { identityProcessor } from './processors/identity';
import { instructionsProcessor } from './processors/instructions';
import { toolsProcessor } from './processors/tools';
import { type RequestProcessor } from './request-processor';

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
