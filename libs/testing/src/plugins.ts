import { BasePlugin, type PluginHooks } from '@skein/engine';

/** A plugin of these hooks. */
export function aPlugin(hooks: Partial<PluginHooks> = {}, name = 'a-plugin'): BasePlugin {
  return Object.assign(new TestPlugin(name), hooks);
}

class TestPlugin extends BasePlugin {}
