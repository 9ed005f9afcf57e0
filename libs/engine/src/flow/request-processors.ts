import { agentTransferProcessor } from './processors/agent-transfer';
import { authProcessor } from './processors/auth';
import { basicProcessor } from './processors/basic';
import { codeExecutionProcessor } from './processors/code-execution';
import { compactionProcessor } from './processors/compaction';
import { confirmationProcessor } from './processors/confirmation';
import { contentsProcessor } from './processors/contents';
import { identityProcessor } from './processors/identity';
import { instructionsProcessor } from './processors/instructions';
import { outputSchemaProcessor } from './processors/output-schema';
import { planningProcessor } from './processors/planning';
import { toolsProcessor } from './processors/tools';
import { insertAtPlaces, type PlacedRequestProcessor, type RequestProcessor } from './request-processor';

/** The pipeline, in adk-python's order (B24). */
export const requestProcessors: readonly RequestProcessor[] = [
  // First, because it lays the author's own settings down and everything after adds to them.
  basicProcessor,
  // Before anything reads the history: they run the calls a human just allowed, and what those gave belongs to it.
  authProcessor,
  confirmationProcessor,
  // Before identity: the author's words open the system instruction, and a cached prefix stays the same over agents.
  instructionsProcessor,
  identityProcessor,
  // Before contents, which then read the summary in the place of what it stands for.
  compactionProcessor,
  // After the instructions, which may become contents; before whatever rewrites contents.
  contentsProcessor,
  // After contents, because a planner takes the thoughts out of them.
  planningProcessor,
  // After contents too: it turns the code in them back into the text the model wrote.
  codeExecutionProcessor,
  outputSchemaProcessor,
  // Tells of the agents to hand over to, and adds the tool for it.
  agentTransferProcessor,
  // Last, because a tool may change anything that the others built.
  toolsProcessor,
];

/** The pipeline of one agent, with the steps its author adds. */
export function orderRequestProcessors(
  placed: readonly PlacedRequestProcessor[] = [],
): readonly RequestProcessor[] {
  return insertAtPlaces(
    requestProcessors,
    placed.map(({ processor, ...place }) => ({
      ...place,
      step: {
        name: processor.constructor.name,
        run: (_agent, context, request) => processor.runAsync(context, request),
      },
    })),
  );
}
