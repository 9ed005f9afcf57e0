import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';
import { note } from '../_shared/effects';
import { calls } from '../_shared/script';

/** Fills the heap until V8 ends the process. */
function hog(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 1e5 }, (_, index) => index + kept.length));
}

const hogging = new FunctionTool({
  name: 'hog',
  description: 'Needs more memory than there is.',
  retry: { maxAttempts: 2 },
  execute: () => hog(),
});

/** Holds memory beside the heap, until the test lets go; a worker has several at a time. */
const swell = new FunctionTool({
  name: 'swell',
  description: 'Holds a lot of memory.',
  parameters: z.object({ mib: z.number() }),
  execute: async ({ mib }, context) => {
    const held = Buffer.alloc(mib * 2 ** 20, 1);
    note('swell', context, 'begin');
    while (!existsSync(`${process.env.EFFECTS_FILE ?? ''}.${context.sessionId}.shrink`)) await pause(20);
    note('swell', context, 'end');
    return { mib: held.length / 2 ** 20 };
  },
});

/** Ends its worker each time, once the test wants that: what else is to be away is away by then. */
const crash = new FunctionTool({
  name: 'crash',
  description: 'Ends its worker.',
  retry: { maxAttempts: 3 },
  scheduleToStartTimeoutMs: 2_000,
  timeoutMs: 4_000,
  execute: async (_args, context) => {
    note('crash', context, 'begin');
    while (!existsSync(`${process.env.EFFECTS_FILE ?? ''}.${context.sessionId}.crash`)) await pause(20);
    process.kill(process.pid, 'SIGKILL');
    await pause(10_000);
  },
});

/**
 * `die` ends the runner before the model is asked, every time; `hog once` fills the runner's memory the first time;
 * `hog` is a tool that fills the worker's; `crash` is one that ends it,
 * `swell 100` one that holds as many MiB of it.
 */
export const rootAgent = new LlmAgent({
  name: 'poison',
  tools: [hogging, crash, swell],
  beforeModelCallback: ({ context }) => {
    const said = context.userContent?.parts?.[0]?.text ?? '';
    if (said === 'die') process.kill(process.pid, 'SIGKILL');
    const mark = `${process.env.EFFECTS_FILE ?? ''}.${context.sessionId}`;
    if (said === 'hog once' && !existsSync(mark)) {
      writeFileSync(mark, '');
      hog();
    }
    return undefined;
  },
  model: new ScriptedLlm({
    rules: [
      { when: /^(?:hog|crash|swell): (.*)/, respond: ([, said]) => `The tool said ${said ?? ''}` },
      { when: /^swell (\d+)$/, respond: ([, mib]) => calls({ name: 'swell', args: { mib: Number(mib) } }) },
      { when: /^(hog|crash)$/, respond: ([, name = '']) => calls({ name }) },
      { when: /./, respond: () => 'Still here.' },
    ],
  }),
});
