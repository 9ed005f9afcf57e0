import { AgentTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const scale = new LlmAgent({
  name: 'scale',
  model: 'scripted-scale',
  description: 'Weighs a thing.',
  instruction: 'Weigh.',
  inputSchema: z.object({ thing: z.string(), unit: z.string() }),
  outputSchema: z.object({ weight: z.number() }),
});

const crier = new LlmAgent({
  name: 'crier',
  model: 'scripted-crier',
  description: 'Says it loudly.',
  instruction: 'Cry.',
});

export const rootAgent = new LlmAgent({
  name: 'market',
  model: 'scripted-market',
  instruction: 'Sell.',
  tools: [new AgentTool({ agent: scale }), new AgentTool({ agent: crier, skipSummarization: true })],
});
