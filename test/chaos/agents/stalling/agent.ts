import { setTimeout as pause } from 'node:timers/promises';
import { App, BasePlugin, LlmAgent, ScriptedLlm } from '@skein/adk';

/** Takes its time before the first event of a run is stored, and says so. */
class StallingPlugin extends BasePlugin {
  override async onUserMessageCallback(): Promise<undefined> {
    console.log(`stalling in ${process.pid}`);
    await pause(300);
  }
}

const rootAgent = new LlmAgent({
  name: 'stalling',
  model: new ScriptedLlm({ rules: [{ when: /./, respond: () => 'At last.' }] }),
});

export const app = new App({ name: 'stalling', rootAgent, plugins: [new StallingPlugin('stalling')] });
