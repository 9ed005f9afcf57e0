import { BasePlugin, FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

type Params<Hook extends keyof BasePlugin> = BasePlugin[Hook] extends (params: infer P) => unknown
  ? P
  : never;

/** Sees and changes what passes. */
class Censor extends BasePlugin {
  constructor() {
    super('censor');
  }

  override async onUserMessageCallback({ userMessage }: Params<'onUserMessageCallback'>) {
    return { ...userMessage, parts: [...(userMessage.parts ?? []), { text: '(read by the censor)' }] };
  }

  override async beforeModelCallback(params: Params<'beforeModelCallback'>) {
    const { state } = params.callbackContext;
    state.set('seen', Number(state.get('seen') ?? 0) + 1);
    return super.beforeModelCallback(params);
  }

  override beforeToolCallback(params: Params<'beforeToolCallback'>) {
    // What it would do to every call is above it.
    return super.beforeToolCallback(params);
  }

  override async onToolErrorCallback({ tool, error }: Params<'onToolErrorCallback'>) {
    return { refused: tool.name, because: error.message };
  }

  override async onModelErrorCallback({ error }: Params<'onModelErrorCallback'>) {
    return { content: { role: 'model', parts: [{ text: `Sorry: ${error.message}` }] } };
  }
}

const publish = new FunctionTool({
  name: 'publish',
  description: 'Publishes a text.',
  parameters: z.object({ words: z.string() }),
  execute: () => {
    throw new Error('The press is broken.');
  },
});

export const rootAgent = new LlmAgent({
  name: 'paper',
  model: 'scripted-paper',
  instruction: 'Publish.',
  tools: [publish],
});
export const plugins = [new Censor()];
