import { BasePlugin, LlmAgent } from '@google/adk';

type Params<Hook extends keyof BasePlugin> = BasePlugin[Hook] extends (params: infer P) => unknown
  ? P
  : never;

class Signer extends BasePlugin {
  override async onEventCallback({ event }: Params<'onEventCallback'>) {
    const parts = [...(event.content?.parts ?? []), { text: 'Signed.' }];
    return { ...event, content: { role: 'model', parts } };
  }
}

export const rootAgent = new LlmAgent({ name: 'clerk', model: 'scripted-clerk', instruction: 'Write.' });
export const plugins = [new Signer('signer')];
