import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { z } from 'zod';
import { LLMRegistry } from '../model/llm-registry';
import { FunctionTool } from '../tool/function-tool';
import { isLlmAgent } from './is-llm-agent';
import { LlmAgent } from './llm-agent';

describe('an LlmAgent', () => {
  it('has the defaults of the reference', () => {
    const agent = new LlmAgent({ name: 'root', model: new FakeLlm([]) });

    expect(agent).toMatchObject({
      description: '',
      instruction: '',
      globalInstruction: '',
      tools: [],
      subAgents: [],
      includeContents: 'default',
      disallowTransferToParent: false,
      disallowTransferToPeers: false,
      maxIterations: 25,
      toolErrors: 'respond',
    });
    expect(isLlmAgent(agent)).toBe(true);
  });

  it('keeps what it is told: model by name, instruction, tools, schemas, output key, control', () => {
    class NamedLlm extends FakeLlm {
      static override readonly supportedModels = ['test-named-.*'];
      constructor() {
        super([]);
      }
    }
    LLMRegistry.register(NamedLlm);
    const schema = z.object({ n: z.number() });
    const tool = new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 1 });

    const agent = new LlmAgent({
      name: 'root',
      model: 'test-named-1',
      description: 'Counts.',
      instruction: 'Count.',
      tools: [tool],
      inputSchema: schema,
      outputSchema: schema,
      outputKey: 'count',
      includeContents: 'none',
      disallowTransferToParent: true,
      disallowTransferToPeers: true,
    });

    expect(agent.canonicalModel).toBeInstanceOf(NamedLlm);
    expect(agent).toMatchObject({
      instruction: 'Count.',
      tools: [tool],
      outputKey: 'count',
      includeContents: 'none',
    });
    expect(agent.input?.jsonSchema).toEqual(agent.output?.jsonSchema);
    expect([agent.disallowTransferToParent, agent.disallowTransferToPeers]).toEqual([true, true]);
  });

  it('with includeContents none sees its own turn, and the calls in it (B10)', async () => {
    const model = new FakeLlm([[text('one')], [calls({ id: 'c', name: 'f' })], [text('two')]]);
    const tools = [new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 1 })];
    const agent = new LlmAgent({ name: 'root', model, tools, includeContents: 'none' });
    const first = await runTurn(agent, { said: 'first' });

    await runTurn(agent, {
      said: 'second',
      session: first.session,
      invocationId: 'e-0198c0de-0000-7000-8000-000000000002',
    });

    expect(
      model.requests.map(({ contents }) => contents.map(({ parts }) => Object.values(parts?.[0] ?? {})[0])),
    ).toEqual([
      ['first'],
      ['second'],
      ['second', { id: 'c', name: 'f' }, { id: 'c', name: 'f', response: { result: 1 } }],
    ]);
  });
});
