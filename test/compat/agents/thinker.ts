import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const look = new FunctionTool({
  name: 'look',
  description: 'Looks.',
  parameters: z.object({}),
  execute: () => ({ seen: 'nothing' }),
});

export const rootAgent = new LlmAgent({
  name: 'thinker',
  model: 'scripted-thinker',
  instruction: 'Think.',
  tools: [look],
  outputKey: 'conclusion',
});
