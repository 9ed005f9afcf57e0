import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { type BaseAgent } from '../agent/base-agent';
import { LlmAgent } from '../agent/llm-agent';
import { type BasePlugin } from '../plugin/base-plugin';
import { FunctionTool } from '../tool/function-tool';
import { App, isApp } from './app';

const rootAgent = new LlmAgent({ name: 'root', model: new FakeLlm([]) });

describe('App', () => {
  it.each(['app', 'a-1_B'])('may be named %j (B45)', (name) => {
    const app = new App({ name, rootAgent });

    expect(isApp(app)).toBe(true);
    expect(app).toMatchObject({ name, rootAgent });
  });

  it.each(['user', '', '1st', 'a b', 'a.b', '../a'])('may not be named %j (B45)', (name) => {
    expect(() => new App({ name, rootAgent })).toThrow(expect.objectContaining({ code: 'app.name' }));
  });

  it('needs an agent at its root', () => {
    const notAnAgent = {} as BaseAgent;

    expect(() => new App({ name: 'app', rootAgent: notAnAgent })).toThrow('rootAgent is not an agent');
  });

  it('takes no plugin that is none, and no run config of another shape', () => {
    const plugins = [{ name: 'x' } as unknown as BasePlugin];
    const runConfig = { maxLlmCalls: 'many' as unknown as number };

    expect(() => new App({ name: 'app', rootAgent, plugins })).toThrow(
      expect.objectContaining({ code: 'app.plugin' }),
    );
    expect(() => new App({ name: 'app', rootAgent, runConfig })).toThrow('App "app": runConfig.maxLlmCalls');
  });

  it('says how its runs behave, and a run may say otherwise', async () => {
    const loop = () => {
      const model = new FakeLlm([[calls({ name: 'f' })], [calls({ name: 'f' })], [text('done')]]);
      const tools = [new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 1 })];
      return new LlmAgent({ name: 'root', model, tools });
    };
    const app = () => new App({ name: 'app', rootAgent: loop(), runConfig: { maxLlmCalls: 2 } });

    const bound = await runTurn(app());
    const free = await runTurn(app(), { runConfig: { maxLlmCalls: 3 } });

    expect(bound.events.at(-1)).toMatchObject({ errorCode: 'LlmCallsLimitExceededError' });
    expect(free.events.at(-1)?.content?.parts).toEqual([{ text: 'done' }]);
  });
});
