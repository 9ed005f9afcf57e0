import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const count = new FunctionTool({
  name: 'count_people',
  description: 'Counts the people of a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => ({ people: city.length * 1000 }),
});

export const rootAgent = new LlmAgent({
  name: 'geographer',
  model: 'scripted-geographer',
  instruction: 'Tell the capital.',
  tools: [count],
  outputSchema: z.object({ capital: z.string(), people: z.number() }),
  outputKey: 'answer',
});
