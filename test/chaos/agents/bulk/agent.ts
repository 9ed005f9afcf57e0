import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';
import { note } from '../_shared/effects';
import { calls } from '../_shared/script';

const ONCE_EVERY = 5;
const parameters = z.object({ ms: z.number() });

const work = new FunctionTool({
  name: 'work',
  description: 'Works.',
  parameters,
  // Whoever kills workers by the second kills some calls often.
  retry: { maxAttempts: 50 },
  execute: async ({ ms }, context) => {
    note('work', context, 'begin');
    await pause(ms);
    note('work', context, 'end');
    return { key: context.idempotencyKey };
  },
});

/** Its line in the file of effects may be there once. */
const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays.',
  parameters,
  sideEffect: 'once',
  execute: async ({ ms }, context) => {
    note('pay', context, 'begin');
    await pause(ms);
    note('pay', context, 'end');
    return { key: context.idempotencyKey };
  },
});

const copy = new FunctionTool({
  name: 'copy',
  description: 'Gives what it is given.',
  parameters: z.object({ text: z.string(), ms: z.number() }),
  execute: async ({ text, ms }, context) => {
    note('copy', context, 'begin');
    await pause(ms);
    note('copy', context, 'end');
    return { text };
  },
});

/**
 * `many 10 200`: ten calls side by side of 200 ms each, every fifth of which may happen once; `copy 2000 300`: a call that
 * takes and gives 2000 characters, and an answer of as many.
 */
export const rootAgent = new LlmAgent({
  name: 'bulk',
  tools: [work, pay, copy],
  model: new ScriptedLlm({
    rules: [
      { when: /^(work|pay): /, respond: () => 'Done.' },
      {
        when: /^copy: \{"text":"(x+)"\}/,
        respond: ([, text = '']) => ({ content: { role: 'model', parts: [{ text }] } }),
      },
      { when: /^copy: /, respond: () => 'It was not copied.' },
      {
        when: /^many (\d+) (\d+)/,
        respond: ([, count, ms]) =>
          calls(
            ...Array.from({ length: Number(count) }, (_, index) => ({
              name: index % ONCE_EVERY === 0 ? 'pay' : 'work',
              args: { ms: Number(ms) },
            })),
          ),
      },
      {
        when: /^copy (\d+) (\d+)/,
        respond: ([, length, ms]) =>
          calls({ name: 'copy', args: { text: 'x'.repeat(Number(length)), ms: Number(ms) } }),
      },
      { when: /./, respond: () => 'Well.' },
    ],
  }),
});
