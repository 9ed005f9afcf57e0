import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

/** Its result is what the user gets: no model looks at it. */
const raw = new FunctionTool({
  name: 'raw_data',
  description: 'Shows data as they are.',
  parameters: z.object({ of: z.string() }),
  execute: ({ of }, toolContext) => {
    if (toolContext) toolContext.actions.skipSummarization = true;
    return { of, rows: [1, 2, 3] };
  },
});

export const rootAgent = new LlmAgent({
  name: 'table',
  model: 'scripted-table',
  instruction: 'Show data.',
  tools: [raw],
});
