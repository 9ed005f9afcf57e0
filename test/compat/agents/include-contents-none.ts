import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const dice = new FunctionTool({
  name: 'roll',
  description: 'Rolls a die.',
  parameters: z.object({ sides: z.number() }),
  execute: ({ sides }) => ({ rolled: sides }),
});

export const rootAgent = new LlmAgent({
  name: 'forgetful',
  model: 'scripted-forgetful',
  instruction: 'Live in the moment.',
  includeContents: 'none',
  tools: [dice],
});
