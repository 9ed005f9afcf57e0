import { FakeLlm } from '@skein/testing';
import { App } from '../app/app';
import { FunctionTool } from '../tool/function-tool';
import { assertAgentTree, parentMap, walkAgents } from './agent-tree';
import { BaseAgent } from './base-agent';
import { LlmAgent } from './llm-agent';
import { SequentialAgent } from './sequential-agent';

function anAgent(name: string, subAgents: readonly BaseAgent[] = []): LlmAgent {
  return new LlmAgent({ name, model: new FakeLlm([]), subAgents });
}

describe('an agent tree (B45)', () => {
  const leaf = anAgent('leaf');
  const branch = new SequentialAgent({ name: 'branch', subAgents: [leaf] });
  const other = anAgent('other');
  const root = anAgent('root', [branch, other]);

  it('finds agents by name, at or below', () => {
    expect(root.findAgent('leaf')).toBe(leaf);
    expect(root.findAgent('root')).toBe(root);
    expect(root.findSubAgent('root')).toBeUndefined();
    expect(branch.findAgent('other')).toBeUndefined();
  });

  it('knows parents, the root, and walks parents before children', () => {
    expect(leaf.parentAgent).toBe(branch);
    expect(leaf.rootAgent).toBe(root);
    expect([...parentMap(root)].map(([name, parent]) => [name, parent.name])).toEqual([
      ['branch', 'root'],
      ['other', 'root'],
      ['leaf', 'branch'],
    ]);
    expect([...walkAgents(root)].map(({ name }) => name)).toEqual(['root', 'branch', 'leaf', 'other']);
  });

  it('takes no child that has a parent already', () => {
    expect(() => anAgent('second', [leaf])).toThrow('cannot stand below "second" too');
  });

  it.each([
    ['in a row', () => anAgent('a', [anAgent('b'), anAgent('b')])],
    ['in different branches', () => anAgent('a', [anAgent('b', [anAgent('c')]), anAgent('c')])],
    ['at the top and below', () => anAgent('a', [anAgent('b', [anAgent('a')])])],
  ])('has no name twice: %s', (_where, build) => {
    expect(build).toThrow(expect.objectContaining({ code: 'agent.duplicate-name' }));
  });

  it('leaves children free when a tree is refused, so that they fit into a better one', () => {
    const child = anAgent('child');
    expect(() => anAgent('a', [child, anAgent('child')])).toThrow();

    expect(anAgent('a', [child]).subAgents).toEqual([child]);
  });

  it('has no agent below itself', () => {
    class Cyclic extends BaseAgent {
      override subAgents: readonly BaseAgent[] = [this];
      protected override runAsyncImpl(): never {
        throw new Error('never run');
      }
    }
    const cyclic = new Cyclic({ name: 'cyclic' });

    expect(() => assertAgentTree(cyclic)).toThrow(expect.objectContaining({ code: 'agent.cycle' }));
    expect(() => new App({ name: 'app', rootAgent: cyclic })).toThrow('is a sub-agent of itself');
  });

  it('takes nothing as a sub-agent that is none', () => {
    const impostor = { name: 'a' } as unknown as BaseAgent;

    expect(() => anAgent('root', [impostor])).toThrow(expect.objectContaining({ code: 'agent.sub-agent' }));
  });
});

describe('an LlmAgent', () => {
  const aTool = (name: string) => new FunctionTool({ name, description: 'Does it.', execute: () => 1 });

  it('has no two tools of one name', () => {
    const tools = [aTool('f'), aTool('f')];

    expect(() => new LlmAgent({ name: 'root', model: new FakeLlm([]), tools })).toThrow(
      'Agent "root" has two tools called "f".',
    );
  });

  it.each(['', ' ', '1st', 'a b', 'ä', 'x'.repeat(129)])('has no tool called %j', (name) => {
    expect(() => aTool(name)).toThrow(expect.objectContaining({ code: 'tool.name' }));
  });

  it.each(['tools', 'systemInstruction', 'responseSchema', 'responseJsonSchema'])(
    'is not told its %s by the settings of its model',
    (setting) => {
      const generateContentConfig = { [setting]: 'given' };

      expect(() => new LlmAgent({ name: 'root', generateContentConfig })).toThrow(
        expect.objectContaining({ code: 'agent.generate-content-config' }),
      );
    },
  );

  it('takes the model of the nearest agent above when it names none', () => {
    const model = new FakeLlm([]);
    const leaf = new LlmAgent({ name: 'leaf' });
    const middle = new SequentialAgent({ name: 'middle', subAgents: [leaf] });
    new LlmAgent({ name: 'root', model, subAgents: [middle] });

    expect(leaf.canonicalModel).toBe(model);
    expect(() => new LlmAgent({ name: 'alone' }).canonicalModel).toThrow('has no model');
  });
});
