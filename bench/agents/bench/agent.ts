import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const add = new FunctionTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => ({ sum: a + b }),
});

const slow = new FunctionTool({
  name: 'slow',
  description: 'Takes 300 ms.',
  execute: async () => {
    await pause(300);
    return { done: true };
  },
});

function calls(...functionCalls: { name: string; args: Record<string, unknown> }[]) {
  return { content: { role: 'model', parts: functionCalls.map((functionCall) => ({ functionCall })) } };
}

/**
 * One tool call, then a sentence: the turn that every figure of the bench is about. Told so, it calls two slow tools at
 * once instead.
 */
export const rootAgent = new LlmAgent({
  name: 'bench',
  description: 'Adds two numbers with a tool.',
  tools: [add, slow],
  model: new ScriptedLlm({
    name: 'scripted',
    rules: [
      { when: /^(add|slow): /, respond: () => 'The answer is 3.' },
      {
        when: /two slow tools/,
        respond: () => calls({ name: 'slow', args: {} }, { name: 'slow', args: {} }),
      },
      { when: /./, respond: () => calls({ name: 'add', args: { a: 1, b: 2 } }) },
    ],
  }),
});
