import { FunctionTool, LlmAgent } from '@google/adk';
import { Type } from '@google/genai';
import { z } from 'zod';

const give = (name: string, result: unknown) =>
  new FunctionTool({ name, description: `Gives ${name}.`, execute: () => result });

const repeat = new FunctionTool({
  name: 'repeat',
  description: 'Says a word some times.',
  parameters: z.object({ word: z.string(), times: z.number().default(2), loud: z.boolean().optional() }),
  execute: ({ word, times, loud }) =>
    Array.from({ length: times }, () => (loud ? `${word}!` : word)).join(' '),
});

const plain = new FunctionTool({
  name: 'plain',
  description: 'Has a schema that is not zod.',
  parameters: { type: Type.OBJECT, properties: { at: { type: Type.STRING } }, required: ['at'] },
  execute: (args) => args,
});

export const rootAgent = new LlmAgent({
  name: 'giver',
  model: 'scripted-giver',
  instruction: 'Give.',
  tools: [
    give('nothing', undefined),
    give('null', null),
    give('a_number', 7),
    give('a_list', [1, 2]),
    give('an_empty_object', {}),
    repeat,
    plain,
  ],
});
