import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const sum = {
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }: { readonly a: number; readonly b: number }) => ({ sum: a + b }),
};

const add = new FunctionTool({ name: 'add', readOnly: true, ...sum });

/** The same of a tool that does not say that it changes nothing. */
const put = new FunctionTool({ name: 'put', ...sum });

const io = new FunctionTool({
  name: 'io',
  description: 'Waits 100 ms for something else.',
  execute: async () => {
    await pause(100);
    return { done: true };
  },
});

const block = new FunctionTool({
  name: 'block',
  description: 'Blocks its thread for 20 s, without a processor.',
  execute: () => ({ ended: Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000) }),
});

const burn = new FunctionTool({
  name: 'burn',
  description: 'Burns a processor for 20 s.',
  execute: () => {
    const endsAtMs = performance.now() + 20_000;
    while (performance.now() < endsAtMs);
    return { done: true };
  },
});

function calls(...functionCalls: { name: string; args: Record<string, unknown> }[]) {
  return { content: { role: 'model', parts: functionCalls.map((functionCall) => ({ functionCall })) } };
}

/** So many words, one after each pause, and then all of them. */
function stream(words: number, pauseMs: number) {
  const said = (text: string) => ({ content: { role: 'model', parts: [{ text }] } });
  const chunks = Array.from({ length: words }, (_none, n) => ({
    delayMs: pauseMs,
    response: said(`word${n} `),
  }));
  return [...chunks, said('The words are over.')];
}

/** One tool call, then a sentence: the turn that most figures of the bench are about. Told so, it does something else. */
export const rootAgent = new LlmAgent({
  name: 'bench',
  description: 'Adds two numbers with a tool.',
  tools: [add, put, io, block, burn],
  model: new ScriptedLlm({
    name: 'scripted',
    rules: [
      { when: /^(add|put|io|block|burn): /, respond: () => 'The answer is 3.' },
      {
        when: /^Call io (\d+) times/,
        respond: ([, times]) =>
          calls(...Array.from({ length: Number(times) }, () => ({ name: 'io', args: {} }))),
      },
      {
        when: /^(Block|Burn) for/,
        respond: ([, what = '']) => calls({ name: what.toLowerCase(), args: {} }),
      },
      {
        when: /^Stream (\d+) words, one in (\d+) ms/,
        respond: ([, words, pauseMs]) => stream(Number(words), Number(pauseMs)),
      },
      { when: /^Put /, respond: () => calls({ name: 'put', args: { a: 1, b: 2 } }) },
      { when: /./, respond: () => calls({ name: 'add', args: { a: 1, b: 2 } }) },
    ],
  }),
});
