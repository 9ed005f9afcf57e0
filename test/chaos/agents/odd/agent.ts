import { App, FunctionTool, LlmAgent, ScriptedLlm, type ToolContext } from '@skein/adk';
import { note } from '../_shared/effects';
import { calls } from '../_shared/script';

const touch = new FunctionTool({
  name: 'touch',
  description: 'Touches.',
  execute: (_args: unknown, context: ToolContext) => {
    note('touch', context, 'begin');
    note('touch', context, 'end');
    return { touched: true };
  },
});

const rootAgent = new LlmAgent({
  name: 'odd',
  tools: [touch],
  model: new ScriptedLlm({
    rules: [
      // Two calls of one id, and the same id again in the next round.
      {
        when: /^twins$/,
        respond: () => calls({ name: 'touch', id: 'same' }, { name: 'touch', id: 'same' }),
      },
      {
        when: /^touch: /,
        respond: (_match, { contents }) => {
          const said = contents.flatMap(({ parts = [] }) => parts.flatMap(({ text }) => text ?? []));
          return said.includes('for ever') ? calls({ name: 'touch' }) : 'Touched.';
        },
      },
      { when: /^for ever$/, respond: () => calls({ name: 'touch' }) },
      { when: /^stranger$/, respond: () => calls({ name: 'nobody_has_this' }) },
      { when: /./, respond: () => 'Well.' },
    ],
  }),
});

/** Bounded, as a careful author's is. */
export const app = new App({ name: 'odd', rootAgent, runConfig: { maxLlmCalls: 6 } });
