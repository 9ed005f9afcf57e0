import { type Event } from '@skein/contracts';
import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { SequentialAgent } from '../agent/sequential-agent';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { FunctionTool } from '../tool/function-tool';
import { REQUEST_CONFIRMATION } from './request-events';
import { transferTargets } from './transfer-target';

function handOver(agentName: string) {
  return calls({ name: 'transfer_to_agent', args: { agentName } });
}

function anAgent(name: string, config: Partial<LlmAgentConfig> = {}): LlmAgent {
  return new LlmAgent({ name, model: new FakeLlm([]), ...config });
}

function responsesOf(events: readonly Event[]) {
  return events.flatMap(getFunctionResponses).map(({ response }) => response);
}

describe('whom an agent may hand over to (B37)', () => {
  const family = (flags: Partial<LlmAgentConfig> = {}) => {
    const child = anAgent('child');
    const me = anAgent('me', { subAgents: [child], ...flags });
    anAgent('parent', { subAgents: [me, anAgent('peer')] });
    return transferTargets(me).map(({ name }) => name);
  };

  it('is its children, its parent and its peers', () => {
    expect(family()).toEqual(['child', 'parent', 'peer']);
  });

  it('is not its parent, or not its peers, when its flags say so', () => {
    expect(family({ disallowTransferToParent: true })).toEqual(['child', 'peer']);
    expect(family({ disallowTransferToPeers: true })).toEqual(['child', 'parent']);
  });

  it('is neither parent nor peers below a workflow agent', () => {
    const me = anAgent('me');
    new SequentialAgent({ name: 'parent', subAgents: [me, anAgent('peer')] });

    expect(transferTargets(me)).toEqual([]);
  });
});

describe('handing over (B37)', () => {
  it('has the other agent go on in the same turn, and answers the call with nothing', async () => {
    const model = new FakeLlm([[text('I am the child.')]]);
    const child = new LlmAgent({ name: 'child', description: 'Knows more.', model });
    const root = new FakeLlm([[handOver('child')]]);

    const { events } = await runTurn(new LlmAgent({ name: 'root', model: root, subAgents: [child] }));

    expect(events.map(({ author }) => author)).toEqual(['root', 'root', 'child']);
    expect(events[1]).toMatchObject({
      content: { parts: [{ functionResponse: { name: 'transfer_to_agent', response: { result: null } } }] },
      actions: { transferToAgent: 'child' },
    });
    expect(root.requests[0]?.config.systemInstruction).toMatch(
      /Agent name: child\nAgent description: Knows more\./,
    );
    expect(root.requests).toHaveLength(1);
  });

  it('names the agents to choose from sorted and in backticks', async () => {
    const root = new FakeLlm([[text('I do it.')]]);
    const subAgents = ['zoe', 'bob'].map((name) => anAgent(name));

    await runTurn(new LlmAgent({ name: 'root', model: root, subAgents }));

    expect(root.requests[0]?.config.systemInstruction).toContain('`bob`, `zoe`');
  });

  it.each([
    ['an agent that is not there', 'nobody', 'Agent nobody not found in the agent tree.'],
    ['itself', 'root', "Agent 'root' cannot transfer to itself."],
    [
      'one it is not related to',
      'grandchild',
      "Cannot transfer from 'root' to unrelated agent 'grandchild'.",
    ],
  ])('to %s is an error the model reads, and the turn goes on', async (_whom, name, error) => {
    const child = anAgent('child', { subAgents: [anAgent('grandchild')] });
    const model = new FakeLlm([[handOver(name)], [text('Then I do it.')]]);

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, subAgents: [child] }));

    expect(responsesOf(events)).toEqual([{ error }]);
    expect(events.at(-1)?.content?.parts).toEqual([{ text: 'Then I do it.' }]);
  });

  it('to a peer that its flags forbid is refused with the reason', async () => {
    const model = new FakeLlm([[handOver('peer')], [text('Then not.')]]);
    const me = new LlmAgent({ name: 'me', model, disallowTransferToPeers: true });
    const root = new FakeLlm([[handOver('me')]]);

    const { events } = await runTurn(
      new LlmAgent({ name: 'root', model: root, subAgents: [me, anAgent('peer')] }),
    );

    expect(responsesOf(events)).toEqual([
      { result: null },
      { error: "Agent 'me' may not transfer to its peers." },
    ]);
  });

  it('without end fails the run with a clear error, not the process with its stack', async () => {
    const to = (name: string) => new FakeLlm(Array.from({ length: 400 }, () => [handOver(name)]));
    const child = new LlmAgent({ name: 'child', model: to('root') });
    const agent = new LlmAgent({ name: 'root', model: to('child'), subAgents: [child] });

    const { error, events } = await runTurn(agent);

    expect(error).toMatchObject({ code: 'agent.transfer-depth' });
    expect(events.at(-1)).toMatchObject({ errorCode: 'agent.transfer-depth' });
  });

  it('by a tool that a human had to allow happens once he did (B33)', async () => {
    const child = new LlmAgent({ name: 'child', model: new FakeLlm([[text('I am the child.')]]) });
    const escort = new FunctionTool({
      name: 'escort',
      description: 'Hands over.',
      requireConfirmation: true,
      execute: (_args, { actions }) => void (actions.transferToAgent = 'child'),
    });
    const model = new FakeLlm([[calls({ id: 'c', name: 'escort' })], [text('never')]]);
    const agent = new LlmAgent({ name: 'root', model, tools: [escort], subAgents: [child] });
    const asked = await runTurn(agent);
    const request = asked.events.flatMap(getFunctionCalls).find(({ name }) => name === REQUEST_CONFIRMATION);
    const answer = { id: request?.id ?? '', name: REQUEST_CONFIRMATION, response: { confirmed: true } };

    const { events } = await runTurn(agent, {
      session: asked.session,
      said: { role: 'user', parts: [{ functionResponse: answer }] },
      segment: 1,
    });

    expect(events.map(({ author }) => author)).toEqual(['root', 'child']);
    expect(model.requests).toHaveLength(1);
  });

  it('by an action a tool set itself fails the run when there is no such agent', async () => {
    const { events, error } = await runTurn(
      new LlmAgent({
        name: 'root',
        model: new FakeLlm([[calls({ name: 'f' })]]),
        beforeToolCallback: ({ context }) => {
          context.actions.transferToAgent = 'nobody';
          return {};
        },
      }),
    );

    expect(error).toMatchObject({ code: 'agent.transfer' });
    expect(events.at(-1)).toMatchObject({ errorCode: 'agent.transfer' });
  });
});
