import { AgentTool, FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const note = new FunctionTool({
  name: 'note',
  description: 'Writes something down.',
  parameters: z.object({ words: z.string() }),
  execute: ({ words }, toolContext) => {
    toolContext?.state.set('noted', words);
    return { noted: true };
  },
});

const translator = new LlmAgent({
  name: 'translator',
  model: 'scripted-translator',
  description: 'Translates into French.',
  instruction: 'Translate.',
  tools: [note],
});

export const rootAgent = new LlmAgent({
  name: 'author',
  model: 'scripted-author',
  instruction: 'Write in French, by means of the translator.',
  tools: [new AgentTool({ agent: translator })],
});
