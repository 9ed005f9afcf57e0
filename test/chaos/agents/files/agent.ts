import { FunctionTool, LlmAgent, ScriptedLlm, type ToolContext } from '@skein/adk';
import { note } from '../_shared/effects';
import { calls } from '../_shared/script';

const NAME = 'note.txt';

const keep = new FunctionTool({
  name: 'keep',
  description: 'Keeps a note.',
  execute: async (_args: unknown, context: ToolContext) => {
    note('keep', context, 'begin');
    const version = await context.saveArtifact(NAME, { text: `kept in ${context.sessionId}` });
    note('keep', context, 'end');
    return { version };
  },
});

const look = new FunctionTool({
  name: 'look',
  description: 'Reads the note.',
  execute: async (_args: unknown, context: ToolContext) => {
    note('look', context, 'begin');
    const part = await context.loadArtifact(NAME);
    note('look', context, 'end');
    return { text: part?.text ?? 'nothing' };
  },
});

/** `keep` saves an artifact, `look` loads it; what came of it is the answer. */
export const rootAgent = new LlmAgent({
  name: 'files',
  tools: [keep, look],
  model: new ScriptedLlm({
    rules: [
      { when: /^(keep|look): (.*)/, respond: ([, tool, said]) => `${tool ?? ''} gave ${said ?? ''}` },
      { when: /^(keep|look)/, respond: ([, name = '']) => calls({ name }) },
      { when: /./, respond: () => 'Well.' },
    ],
  }),
});
