import { setTimeout as pause } from 'node:timers/promises';
import { type Content, FunctionTool, LlmAgent, ScriptedLlm, type ToolContext } from '@skein/adk';
import { z } from 'zod';
import { note } from '../_shared/effects';
import { calls, flood, slowly } from '../_shared/script';

/** Counts in the state: one application of a result too many, or too few, shows in the sum and in each answer. */
const count = new FunctionTool({
  name: 'count',
  description: 'Counts up.',
  execute: (_args: unknown, context: ToolContext) => {
    note('count', context, 'begin');
    const n = Number(context.state.get('n') ?? 0) + 1;
    context.state.set('n', n);
    note('count', context, 'end');
    return { n };
  },
});

const wait = new FunctionTool({
  name: 'wait',
  description: 'Takes a while.',
  parameters: z.object({ ms: z.number() }),
  execute: async ({ ms }, context) => {
    note('wait', context, 'begin');
    await pause(ms, undefined, { signal: context.signal });
    note('wait', context, 'end');
    return { waited: ms };
  },
});

/** Its effect may happen once; another attempt is not made. */
const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays.',
  parameters: z.object({ ms: z.number() }),
  sideEffect: 'once',
  execute: async ({ ms }, context) => {
    note('pay', context, 'begin');
    await pause(ms);
    note('pay', context, 'end');
    return { paid: true };
  },
});

const send = new FunctionTool({
  name: 'send',
  description: 'Sends, once a human allowed it.',
  requireConfirmation: true,
  execute: (_args: unknown, context: ToolContext) => {
    note('send', context, 'begin');
    note('send', context, 'end');
    return { sent: true };
  },
});

/** Blocks the whole process, as a tool that computes does. */
const block = new FunctionTool({
  name: 'block',
  description: 'Blocks.',
  parameters: z.object({ ms: z.number() }),
  // It is delivered again as often as its ack time passes, longer than anybody meant on a busy machine.
  retry: { maxAttempts: 50 },
  execute: ({ ms }, context) => {
    note('block', context, 'begin');
    const until = performance.now() + ms;
    while (performance.now() < until);
    note('block', context, 'end');
    return { blocked: ms };
  },
});

/** Ends the worker it runs in, as one that runs out of memory does, until it was tried so often. */
const crash = new FunctionTool({
  name: 'crash',
  description: 'Ends its process.',
  execute: (_args: unknown, context: ToolContext) => {
    note('crash', context, 'begin');
    process.kill(process.pid, 'SIGKILL');
  },
});

/** How often the last message wants to count, and how often that happened since. */
function countsOf(contents: readonly Content[]): { wanted: number; done: number } {
  const wishOf = (content: Content): string | undefined =>
    content.parts?.map(({ text }) => /^count (\d+)/.exec(text ?? '')?.[1]).find(Boolean);
  const last = contents.findLastIndex((content) =>
    content.parts?.some(({ text }) => text?.startsWith('count')),
  );
  const since = contents.slice(last + 1).flatMap(({ parts = [] }) => parts);
  const asked = contents[last];
  return {
    wanted: Number((asked && wishOf(asked)) ?? 1),
    done: since.filter(({ functionResponse }) => functionResponse?.name === 'count').length,
  };
}

/**
 * Does what it is told: `count`, `count 3` (one after the other), `wait 300`, `pay 300`, `block 300`, `both 300`
 * (two waits side by side), `send`, `crash`, `talk 20 50` (20 words, one every 50 ms); anything else is answered.
 */
export const rootAgent = new LlmAgent({
  name: 'errands',
  tools: [count, wait, pay, send, block, crash],
  model: new ScriptedLlm({
    rules: [
      {
        when: /^count: \{"n":(\d+)\}/,
        respond: ([, n = ''], { contents }) => {
          const { wanted, done } = countsOf(contents);
          return done < wanted ? calls({ name: 'count' }) : `Counted to ${n}.`;
        },
      },
      {
        when: /^(wait|pay|send|block|crash): (.*)/,
        respond: ([, tool, said]) => `${tool ?? ''} gave ${said ?? ''}`,
      },
      { when: /^count\b/, respond: () => calls({ name: 'count' }) },
      {
        when: /^(wait|pay|block) (\d+)/,
        respond: ([, name = '', ms]) => calls({ name, args: { ms: Number(ms) } }),
      },
      {
        when: /^both (\d+)/,
        respond: ([, ms]) =>
          calls({ name: 'wait', args: { ms: Number(ms) } }, { name: 'wait', args: { ms: Number(ms) + 1 } }),
      },
      { when: /^(send|crash)/, respond: ([, name = '']) => calls({ name }) },
      { when: /^talk (\d+) (\d+)/, respond: ([, words, ms]) => slowly(Number(words), Number(ms)) },
      { when: /^flood (\d+)/, respond: ([, pieces]) => flood(Number(pieces)) },
      { when: /./, respond: () => 'Well.' },
    ],
  }),
});
