import { existsSync, writeFileSync } from 'node:fs';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { calls } from '../_shared/script';

/** Fills the heap until V8 ends the process. */
function hog(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 1e5 }, (_, index) => index + kept.length));
}

const tool = new FunctionTool({
  name: 'hog',
  description: 'Needs more memory than there is.',
  retry: { maxAttempts: 2 },
  execute: () => hog(),
});

/**
 * `die` ends the runner before the model is asked, every time; `hog once` fills the runner's memory the first time;
 * `hog` is a tool that fills the worker's.
 */
export const rootAgent = new LlmAgent({
  name: 'poison',
  tools: [tool],
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
      { when: /^hog: (.*)/, respond: ([, said]) => `The tool said ${said ?? ''}` },
      { when: /^hog$/, respond: () => calls({ name: 'hog' }) },
      { when: /./, respond: () => 'Still here.' },
    ],
  }),
});
