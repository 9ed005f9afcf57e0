import { FakeLlm } from '@skein/testing';
import { type BaseAgent } from '../agent/base-agent';
import { LlmAgent } from '../agent/llm-agent';
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
});
