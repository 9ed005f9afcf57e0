import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const write = new FunctionTool({
  name: 'write_rules',
  description: 'Writes the rules down.',
  parameters: z.object({ rules: z.string() }),
  execute: async ({ rules }, toolContext) => {
    await toolContext?.saveArtifact('rules.txt', { text: rules });
    await toolContext?.saveArtifact('user:all.txt', { text: rules });
    return { written: true };
  },
});

export const rootAgent = new LlmAgent({
  name: 'judge',
  model: 'scripted-judge',
  instruction: 'Rules: {artifact.rules.txt?} All: {artifact.user:all.txt?}',
  tools: [write],
});
