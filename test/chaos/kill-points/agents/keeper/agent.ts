import { type Context, LlmAgent } from '@skein/adk';
import { NotingLlm } from '../_shared/noting-llm';
import { calls, says } from '../_shared/script';
import { trackedTool } from '../_shared/tracked-tool';

async function keep(context: Context): Promise<unknown> {
  const { state } = context;
  const kept = (state.get<number>('kept') ?? 0) + 1;
  state.set('kept', kept);
  state.set('user:kept', (state.get<number>('user:kept') ?? 0) + 1);
  state.set('app:motto', 'keep');
  state.set('temp:last', kept);
  const version = await context.saveArtifact('kept.txt', { text: `kept ${kept}` });
  return { kept, version };
}

async function lookUp(context: Context): Promise<unknown> {
  const { state } = context;
  const artifact = await context.loadArtifact('kept.txt');
  return {
    last: state.get('temp:last') ?? null,
    motto: state.get('app:motto'),
    of: state.get('user:kept'),
    artifact,
  };
}

const text = (value: string) => ({ content: { role: 'model', parts: [{ text: value }] } });
const streamed = (...pieces: string[]) => [
  ...pieces.map((piece) => ({ delayMs: 5, response: text(piece) })),
  text(pieces.join('')),
];

/** State of every scope, artifacts, and answers that come in pieces. */
export const rootAgent = new LlmAgent({
  name: 'keeper',
  model: new NotingLlm({
    responses: [
      says(calls('keep')),
      says(calls('look_up')),
      streamed('Kept ', 'one', '.'),
      says(calls('keep')),
      says(calls('look_up')),
      streamed('Kept ', 'two', '.'),
    ],
  }),
  instruction: 'You kept {kept?} things.',
  tools: [trackedTool('keep', { act: keep }), trackedTool('look_up', { act: lookUp })],
  outputKey: 'said',
});
