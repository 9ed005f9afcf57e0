import { LlmAgent, LongRunningFunctionTool } from '@google/adk';
import { z } from 'zod';

const approval = new LongRunningFunctionTool({
  name: 'ask_for_approval',
  description: 'Asks a manager to approve an expense.',
  parameters: z.object({ amount: z.number() }),
  execute: ({ amount }) => ({ status: 'pending', ticket: `T-${amount}` }),
});

export const rootAgent = new LlmAgent({
  name: 'accountant',
  model: 'scripted-accountant',
  instruction: 'Handle expenses.',
  tools: [approval],
});
