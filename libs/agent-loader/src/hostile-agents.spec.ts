import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AgentLoader } from './agent-loader';

const HEAD = `
import { App, CustomAgent, LlmAgent, RoutedAgent, RoutedLlm, ScriptedLlm } from '@skein/adk';
const model = new ScriptedLlm({ responses: [] });
const agent = new LlmAgent({ name: 'root', model });
const thrower = (what) => ({ configurable: true, get() { throw what; } });
`;

let agentsDir: string;

beforeEach(() => {
  agentsDir = mkdtempSync(join(tmpdir(), 'skein-agents-'));
  write('good', `export const rootAgent = agent;`);
});
afterEach(() => {
  rmSync(agentsDir, { recursive: true });
});

describe('an agent file that does what no agent file should', () => {
  it.each([
    [
      'a name that throws',
      `Object.defineProperty(agent, 'name', thrower(new Error('No name.')));
       export const rootAgent = agent;`,
      'No name.',
    ],
    [
      'a name that throws something without a text',
      `Object.defineProperty(agent, 'name', thrower(Object.create(null)));
       export const rootAgent = agent;`,
      'something that has no text was thrown',
    ],
    [
      'sub-agents that throw',
      `Object.defineProperty(agent, 'subAgents', thrower(new Error('No children.')));
       export const rootAgent = agent;`,
      'No children.',
    ],
    [
      'an agent that answers no question of what it is',
      `export const rootAgent = new Proxy(agent, { has() { throw new Error('Do not ask.'); } });`,
      'Do not ask.',
    ],
    [
      'an agent that stands below itself',
      `Object.defineProperty(agent, 'subAgents', { value: [agent] });
       export const rootAgent = agent;`,
      'Agent "root" is a sub-agent of itself',
    ],
    [
      'an app with fields that throw',
      `export const app = Object.defineProperty({ name: 'x', rootAgent: agent }, 'plugins', { ...thrower(new Error('No plugins.')), enumerable: true });`,
      'No plugins.',
    ],
    [
      'a throw of something without a text',
      `throw Object.create(null);`,
      'something that has no text was thrown',
    ],
    ['a throw of nothing', `throw undefined;`, 'undefined'],
    [
      'an error that throws when it is read',
      `throw Object.defineProperty(new Error('x'), 'message', thrower(new Error('y')));`,
      'something that has no text was thrown',
    ],
    [
      'an error whose stack throws when it is read',
      `throw Object.defineProperty(new Error('Broken.'), 'stack', thrower(new Error('y')));`,
      'Broken.',
    ],
    [
      'models that lead back to themselves',
      `const models = { model };
       models.self = new RoutedLlm({ models, router: () => 'self', modelName: 'route' });
       export const rootAgent = new LlmAgent({ name: 'top', subAgents: [new LlmAgent({ name: 'leaf', model: models.self })] });`,
      'Agent "leaf": The models of "route" lead back to it: route, route',
    ],
    [
      'a router that is none',
      `export const rootAgent = new RoutedAgent({ name: 'desk', agents: [agent] });`,
      'Agent "desk" needs a router, a function',
    ],
  ])('is told with its file, and harms no other app: %s', async (_what, source, reason) => {
    write('bad', source);
    const broken: unknown[] = [];
    const loader = new AgentLoader({ agentsDir });

    await loader.preload((appName, error) => broken.push([appName, error]));

    const told = {
      code: 'agent.load-failed',
      message: expect.stringMatching(`bad/agent.ts.*: ${reason.replaceAll(/[()?.]/g, '\\$&')}`),
    };
    expect(broken).toEqual([['bad', expect.objectContaining(told)]]);
    expect((await loader.load('good')).rootAgent.name).toBe('root');
  });
});

function write(app: string, source: string): void {
  const path = join(agentsDir, app, 'agent.ts');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, HEAD + source);
}
