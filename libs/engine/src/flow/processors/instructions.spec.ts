import { type Content } from '@skein/contracts';
import { aSession, calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../../agent/llm-agent';
import { type LlmAgentConfig } from '../../agent/llm-agent-config';
import { FunctionTool } from '../../tool/function-tool';

/** What the model of an agent was asked first. */
async function asked(config: Partial<LlmAgentConfig>, state: Record<string, unknown> = {}) {
  const model = new FakeLlm([[text('Hi.')]]);
  await runTurn(new LlmAgent({ name: 'root', model, ...config }), { session: aSession({ state }) });
  return model.requests[0];
}

describe('the system instruction (B25, B59)', () => {
  it("is the agent's own, then who it is", async () => {
    const request = await asked({ instruction: 'Be kind to {name}.', description: 'Kind.' }, { name: 'Ada' });

    expect(request?.config.systemInstruction).toBe(
      'Be kind to Ada.\n\n' +
        'You are an agent. Your internal name is "root". The description about you is "Kind.".',
    );
  });

  it("begins with the root's instruction for the whole tree, below the root too, and with no other's", async () => {
    const model = new FakeLlm([[text('Hi.')]]);
    const child = new LlmAgent({ name: 'child', model, instruction: 'Own.', globalInstruction: 'Not this.' });
    const root = new FakeLlm([[calls({ name: 'transfer_to_agent', args: { agentName: 'child' } })]]);

    await runTurn(
      new LlmAgent({ name: 'root', model: root, globalInstruction: 'For all, {who}.', subAgents: [child] }),
      { session: aSession({ state: { who: 'you' } }) },
    );

    expect(root.requests[0]?.config.systemInstruction).toMatch(/^For all, you\.\n\nYou are an agent/);
    expect(model.requests[0]?.config.systemInstruction).toMatch(
      /^For all, you\.\n\nOwn\.\n\nYou are an agent/,
    );
  });

  it('takes what a provider says as it is, and lets it read state', async () => {
    const request = await asked(
      {
        instruction: async (context) =>
          `{name} is ${context.state.get<string>('name')} of ${context.agentName}`,
      },
      { name: 'Ada' },
    );

    expect(request?.config.systemInstruction).toMatch(/^\{name\} is Ada of root\n/);
  });

  it('fails the run with a missing variable, and the session stays usable', async () => {
    const model = new FakeLlm([[text('Hi.')]]);
    const agent = new LlmAgent({ name: 'root', model, instruction: '{missing}' });

    const { events, session } = await runTurn(agent);
    const next = await runTurn(agent, {
      session,
      stateDelta: { missing: 'there' },
      invocationId: 'e-0198c0de-0000-7000-8000-000000000002',
    });

    expect(events).toMatchObject([
      { errorCode: 'instruction.variable', errorMessage: 'Context variable not found: `missing`.' },
    ]);
    expect(next.events.at(-1)?.content?.parts).toEqual([{ text: 'Hi.' }]);
  });
});

describe('a static instruction (B12)', () => {
  it.each<[string, string | Content]>([
    ['a text', 'Never changes, {not a variable}.'],
    ['a content', { parts: [{ text: 'Never changes, {not a variable}.' }] }],
  ])(
    'that is %s is the system instruction, and the other one travels before the user’s words',
    async (_what, staticInstruction) => {
      const request = await asked({ staticInstruction, instruction: 'For {name}.' }, { name: 'Ada' });

      expect(request?.config.systemInstruction).toMatch(
        /^Never changes, \{not a variable\}\.\n\nYou are an agent/,
      );
      expect(request?.contents).toEqual([
        { role: 'user', parts: [{ text: 'For Ada.' }] },
        { role: 'user', parts: [{ text: 'hi' }] },
      ]);
    },
  );

  it('keeps call and response together', async () => {
    const tools = [new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 1 })];
    const model = new FakeLlm([[calls({ id: 'c', name: 'f' })], [text('done')]]);

    await runTurn(
      new LlmAgent({ name: 'root', model, tools, staticInstruction: 'Static.', instruction: 'Dynamic.' }),
    );

    expect(model.requests[1]?.contents.map(({ parts }) => Object.keys(parts?.[0] ?? {})[0])).toEqual([
      'text',
      'functionCall',
      'functionResponse',
      'text',
    ]);
  });
});
