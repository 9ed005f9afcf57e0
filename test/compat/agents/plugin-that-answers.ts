import { BasePlugin, LlmAgent } from '@google/adk';

class Closed extends BasePlugin {
  override async beforeRunCallback() {
    return { role: 'model', parts: [{ text: 'We are closed.' }] };
  }
}

export const rootAgent = new LlmAgent({ name: 'shop', model: 'scripted-shop', instruction: 'Sell.' });
export const plugins = [new Closed('closed')];
