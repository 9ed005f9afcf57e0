import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const escort = new FunctionTool({
  name: 'escort',
  description: 'Brings the user to another agent.',
  parameters: z.object({ to: z.string() }),
  execute: ({ to }, toolContext) => {
    if (toolContext) toolContext.actions.transferToAgent = to;
    return { brought: to };
  },
});

const doctor = new LlmAgent({
  name: 'doctor',
  model: 'scripted-doctor',
  description: 'Heals.',
  instruction: 'Heal.',
});

export const rootAgent = new LlmAgent({
  name: 'porter',
  model: 'scripted-porter',
  description: 'Brings people.',
  instruction: 'Bring people.',
  tools: [escort],
  subAgents: [doctor],
});
