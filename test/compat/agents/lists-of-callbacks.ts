import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const greet = new FunctionTool({
  name: 'greet',
  description: 'Greets.',
  parameters: z.object({ name: z.string() }),
  execute: ({ name }) => ({ words: `Hello, ${name}` }),
});

export const rootAgent = new LlmAgent({
  name: 'many',
  model: 'scripted-many',
  instruction: 'Greet.',
  tools: [greet],
  beforeModelCallback: [
    ({ request }) => {
      request.contents.push({ role: 'user', parts: [{ text: 'Be short.' }] });
      return undefined;
    },
    ({ request }) => {
      request.config = { ...request.config, temperature: 0.1 };
      return undefined;
    },
  ],
  beforeToolCallback: [
    () => undefined,
    () => ({ words: 'Hello from the second' }),
    () => ({ words: 'never' }),
  ],
  afterToolCallback: [() => undefined, ({ response }) => ({ ...response, seen: true })],
  afterAgentCallback: [() => undefined, () => ({ role: 'model', parts: [{ text: 'Done.' }] })],
});
