import { LlmAgent } from '@google/adk';
import { z } from 'zod';

export const rootAgent = new LlmAgent({
  name: 'geographer',
  model: 'scripted-geographer',
  instruction: 'Tell the capital.',
  outputSchema: z.object({ capital: z.string(), people: z.number() }),
  outputKey: 'answer',
});
