import { FunctionTool, LlmAgent, LOAD_ARTIFACTS } from '@google/adk';
import { z } from 'zod';

const save = new FunctionTool({
  name: 'save_text',
  description: 'Keeps a text.',
  parameters: z.object({ name: z.string(), words: z.string() }),
  execute: async ({ name, words }, toolContext) => ({
    version: await toolContext?.saveArtifact(name, { text: words }),
  }),
});

export const rootAgent = new LlmAgent({
  name: 'archivist',
  model: 'scripted-archivist',
  instruction: 'Keep and find texts.',
  tools: [save, LOAD_ARTIFACTS],
});
