import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const add = new FunctionTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => ({ sum: a + b }),
});

/** One tool call, then a sentence: the turn that every figure of the bench is about. */
export const rootAgent = new LlmAgent({
  name: 'bench',
  description: 'Adds two numbers with a tool.',
  tools: [add],
  model: new ScriptedLlm({
    name: 'scripted',
    rules: [
      { when: /^add: /, respond: () => 'The answer is 3.' },
      {
        when: /./,
        respond: () => ({
          content: { role: 'model', parts: [{ functionCall: { name: 'add', args: { a: 1, b: 2 } } }] },
        }),
      },
    ],
  }),
});
