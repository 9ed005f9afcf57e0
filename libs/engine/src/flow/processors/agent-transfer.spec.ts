import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../../agent/llm-agent';
import { type LlmAgentConfig } from '../../agent/llm-agent-config';
import { SequentialAgent } from '../../agent/sequential-agent';
import { getFunctionResponses } from '../../event/function-parts';

function anAgent(name: string, config: Partial<LlmAgentConfig> = {}) {
  return new LlmAgent({ name, description: `Knows ${name}.`, ...config });
}

/** What the last of these agents is told when the conversation is handed down to it. */
async function toldTo(config: Partial<LlmAgentConfig>) {
  const model = new FakeLlm([[text('done')]]);
  const child = anAgent('child', { model, subAgents: [anAgent('grandchild')], ...config });
  const toChild = new FakeLlm([
    [calls({ id: 't', name: 'transfer_to_agent', args: { agentName: 'child' } })],
  ]);
  const root = anAgent('root', { model: toChild, subAgents: [child, anAgent('peer')] });
  const turn = await runTurn(root);
  const [request] = model.requests;
  const declaration = request?.config.tools?.[0]?.functionDeclarations?.[0]?.parametersJsonSchema;
  const { properties } = (declaration ?? {}) as { properties?: { agentName?: { enum?: string[] } } };
  return { turn, instruction: request?.config.systemInstruction ?? '', targets: properties?.agentName?.enum };
}

describe('the agents a model may hand over to', () => {
  it.each<[string, Partial<LlmAgentConfig>, string[] | undefined]>([
    ['those below it, its parent and its peers', {}, ['grandchild', 'root', 'peer']],
    ['not its parent when that is disallowed', { disallowTransferToParent: true }, ['grandchild', 'peer']],
    ['not its peers when that is disallowed', { disallowTransferToPeers: true }, ['grandchild', 'root']],
    [
      'nobody when all is disallowed and nobody is below it',
      { disallowTransferToParent: true, disallowTransferToPeers: true, subAgents: [] },
      undefined,
    ],
  ])('are %s (B37)', async (_what, config, targets) => {
    expect((await toldTo(config)).targets).toEqual(targets);
  });

  it('are told to it with what they know, their names sorted and in backticks (B37)', async () => {
    const { instruction } = await toldTo({});

    expect(instruction).toContain('Agent name: grandchild\nAgent description: Knows grandchild.');
    expect(instruction).toContain('`grandchild`, `peer`, `root`');
    expect(instruction).toContain('your parent agent `root`');
  });

  it('do not count the workflow it stands in, nor what is beside it there (B37)', async () => {
    const models = [new FakeLlm([[text('one')]]), new FakeLlm([[text('two')]])];
    const subAgents = models.map((model, index) => anAgent(`child${index}`, { model }));

    await runTurn(new SequentialAgent({ name: 'root', subAgents }));

    expect(models.map(({ requests }) => requests[0]?.toolsDict)).toEqual([{}, {}]);
  });
});

describe('a handover', () => {
  it('is answered with nothing, and the other agent answers the user (B37)', async () => {
    const { turn } = await toldTo({});

    expect(turn.events).toMatchObject([
      { author: 'root' },
      {
        author: 'root',
        content: { parts: [{ functionResponse: { response: { result: null } } }] },
        actions: { transferToAgent: 'child' },
      },
      { author: 'child', content: { parts: [{ text: 'done' }] } },
    ]);
  });

  it.each([
    ['root', "Agent 'root' cannot transfer to itself."],
    ['nobody', 'Agent nobody not found in the agent tree.'],
    ['grandchild', "Cannot transfer from 'root' to unrelated agent 'grandchild'."],
  ])('to %s is refused, and the model reads why (B37)', async (agentName, error) => {
    const model = new FakeLlm([
      [calls({ id: 't', name: 'transfer_to_agent', args: { agentName } })],
      [text('Then I answer.')],
    ]);
    const child = anAgent('child', { subAgents: [anAgent('grandchild')] });

    const { events } = await runTurn(anAgent('root', { model, subAgents: [child] }));

    expect(events.flatMap(getFunctionResponses)).toMatchObject([{ response: { error } }]);
    expect(events.at(-1)?.content?.parts).toEqual([{ text: 'Then I answer.' }]);
  });

  it.each([
    [
      'its parent',
      { disallowTransferToParent: true },
      'root',
      "Agent 'child' may not transfer to its parent.",
    ],
    ['its peer', { disallowTransferToPeers: true }, 'peer', "Agent 'child' may not transfer to its peers."],
  ])('to %s is refused where that is disallowed (B37)', async (_whom, config, agentName, error) => {
    const model = new FakeLlm([
      [calls({ id: 't2', name: 'transfer_to_agent', args: { agentName } })],
      [text('Then I answer.')],
    ]);

    const { turn } = await toldTo({ model, ...config });

    expect(turn.events.flatMap(getFunctionResponses).at(-1)).toMatchObject({ id: 't2', response: { error } });
  });
});
