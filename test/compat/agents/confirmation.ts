import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const erase = new FunctionTool({
  name: 'erase_disk',
  description: 'Erases a disk.',
  parameters: z.object({ disk: z.string() }),
  execute: ({ disk }) => ({ erased: disk }),
  requireConfirmation: true,
});

export const rootAgent = new LlmAgent({
  name: 'operator',
  model: 'scripted-operator',
  instruction: 'Operate the machines.',
  tools: [erase],
});
