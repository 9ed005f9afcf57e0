import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const weather = new FunctionTool({
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: z.object({
    city: z.string().describe('A city, in English.'),
    days: z.number().int().optional(),
  }),
  execute: ({ city, days }) => ({ city, days: days ?? 1, sky: city === 'Oslo' ? 'snow' : 'sun' }),
});

const clock = new FunctionTool({
  name: 'get_time',
  description: 'The time in a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `It is noon in ${city}.`,
});

const gate = new FunctionTool({
  name: 'open_gate',
  description: 'Opens a gate that is stuck.',
  parameters: z.object({ gate: z.enum(['north', 'south']) }),
  execute: ({ gate: which }) => {
    throw new Error(`The ${which} gate is stuck.`);
  },
});

export const rootAgent = new LlmAgent({
  name: 'guide',
  model: 'scripted-guide',
  instruction: 'Help travellers.',
  tools: [weather, clock, gate],
});
