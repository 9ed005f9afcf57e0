import { type LoadedApp } from '@skein/agent-loader';
import { AgentTool, App, BaseToolset, FunctionTool, LlmAgent, SequentialAgent } from '@skein/engine';
import { FakeLlm } from '@skein/testing';
import { AnnouncedTools } from './announced-tools';
import { toolsOfApp } from '../catalog/tools-of-app';

class NoToolset extends BaseToolset {
  override async getTools(): Promise<never[]> {
    return [];
  }
}

const model = new FakeLlm([]);
const tool = (name: string) => new FunctionTool({ name, description: name, execute: () => name });
const agent = (name: string, tools: LlmAgent['tools'] = []) =>
  new LlmAgent({ name, model, tools: [...tools] });

/** A folder of agents; an app that is none is broken. */
function aFolder(roots: Record<string, LlmAgent | undefined>) {
  const apps = new Map<string, LoadedApp>();
  return {
    roots,
    listApps: () => Object.keys(roots),
    load: async (name: string) => {
      const rootAgent = roots[name];
      if (!rootAgent) throw new Error('broken');
      const loaded = apps.get(name) ?? { name, app: new App({ name, rootAgent }), rootAgent };
      apps.set(name, loaded);
      return loaded;
    },
  };
}

describe('what a worker announces', () => {
  it('is each tool that is written down, of agents that run as tools too, once', () => {
    const inner = agent('inner', [tool('deep'), tool('add')]);
    const root = new SequentialAgent({
      name: 'root',
      subAgents: [
        agent('first', [tool('add'), new AgentTool({ agent: inner })]),
        agent('second', [tool('zip')]),
      ],
    });

    expect(toolsOfApp(root)).toEqual({ tools: ['add', 'deep', 'inner', 'zip'], hasToolsets: false });
  });

  it('says that there are toolsets, whose tools are known in a run alone', () => {
    const inner = agent('inner', [new NoToolset()]);

    expect(toolsOfApp(agent('root', [new AgentTool({ agent: inner })]))).toEqual({
      tools: ['inner'],
      hasToolsets: true,
    });
  });

  it('is read anew, so that an app that came, or was mended, is announced without a restart', async () => {
    let nowMs = 0;
    const folder = aFolder({ shop: agent('a', [tool('add')]), zoo: undefined });
    const tools = new AnnouncedTools(folder, () => nowMs);
    await tools.read();
    expect(tools.served).toEqual({
      apps: { shop: { tools: ['add'], hasToolsets: false } },
      hasMoreApps: false,
    });

    folder.roots.zoo = agent('b', [tool('feed')]);
    nowMs = 3_000;
    expect(Object.keys(tools.served.apps)).toEqual(['shop']);
    await tools.read();

    expect(tools.served.apps.zoo).toEqual({ tools: ['feed'], hasToolsets: false });
  });

  it('is bounded: the largest apps are announced as having any tool, then not by name', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => tool(`tool_with_a_long_name_${index}`));
    const large = new AnnouncedTools(aFolder({ huge: agent('a', many), small: agent('b', [tool('add')]) }));
    await large.read();
    expect(large.served).toEqual({
      apps: { huge: { tools: [], hasToolsets: true }, small: { tools: ['add'], hasToolsets: false } },
      hasMoreApps: false,
    });

    const names = Array.from({ length: 3_000 }, (_, index) => [`app_${index}`, agent('a')] as const);
    const crowded = new AnnouncedTools(aFolder(Object.fromEntries(names)));
    await crowded.read();
    expect(crowded.served.hasMoreApps).toBe(true);
    expect(JSON.stringify(crowded.served.apps).length).toBeLessThan(80 * 1024);
  });
});
