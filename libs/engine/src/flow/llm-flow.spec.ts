import { calls, FakeLlm, partial, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { FunctionTool } from '../tool/function-tool';

const ping = new FunctionTool({ name: 'ping', description: 'Pings.', execute: () => 'pong' });

function anAgent(answers: ConstructorParameters<typeof FakeLlm>[0], config: Partial<LlmAgentConfig> = {}) {
  const model = new FakeLlm(answers);
  return { model, agent: new LlmAgent({ name: 'root', model, tools: [ping], ...config }) };
}

describe('the Flow', () => {
  it('asks again after tools answered, until an event is final (B15)', async () => {
    const { agent, model } = anAgent([[calls({ name: 'ping' })], [calls({ name: 'ping' })], [text('done')]]);

    const { events } = await runTurn(agent);

    expect(events.map(({ content }) => Object.keys(content?.parts?.[0] ?? {})[0])).toEqual([
      'functionCall',
      'functionResponse',
      'functionCall',
      'functionResponse',
      'text',
    ]);
    expect(model.requests.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
  });

  it('ends when the model says nothing at all (B15, B18)', async () => {
    const { agent, model } = anAgent([[{}]]);

    const { events, journal } = await runTurn(agent);

    expect(events).toEqual([]);
    expect(model.requests).toHaveLength(1);
    expect(journal.stepKeys).toEqual(['0/user.0', '0/root.0/model.0']);
  });

  it('ends when the last event is partial, and tells that the answer broke off (B15)', async () => {
    const { agent, model } = anAgent([[partial(text('o'))]]);

    const { events } = await runTurn(agent, { runConfig: { streamingMode: 'sse' } });

    expect(events).toMatchObject([{ partial: true }, { errorCode: 'model.truncated' }]);
    expect(model.requests).toHaveLength(1);
  });

  it('gives the pieces and the whole of one answer the same event id, the next answer another (B17)', async () => {
    const { agent } = anAgent([
      [partial(text('o')), partial(text('ne')), text('one'), partial(text('tw')), text('two')],
    ]);

    const { events } = await runTurn(agent, { runConfig: { streamingMode: 'sse' } });

    const ids = events.map(({ id }) => id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(new Set(ids.slice(3)).size).toBe(1);
    expect(ids[0]).not.toBe(ids[3]);
  });

  it('makes an answer that stopped without a word an error, and no event when it was streamed (B18)', async () => {
    const { agent } = anAgent([[{ finishReason: 'STOP', content: { role: 'model', parts: [] } }]]);

    const whole = await runTurn(agent);
    const streamed = await runTurn(agent, { runConfig: { streamingMode: 'sse' } });

    expect(whole.events).toMatchObject([{ errorCode: 'MODEL_RETURNED_NO_CONTENT' }]);
    expect(streamed.events).toEqual([]);
  });

  it('tells that an answer was cut at its limit of tokens, and runs none of its calls (B18)', async () => {
    const cut = {
      content: { role: 'model', parts: [{ text: 'Once' }, { functionCall: { name: 'ping' } }] },
      finishReason: 'MAX_TOKENS',
    };
    const { agent, model } = anAgent([[cut], [text('never asked')]]);

    const { events, error } = await runTurn(agent);

    expect(events).toMatchObject([
      {
        errorCode: 'MAX_TOKENS',
        errorMessage: expect.stringContaining('limit of tokens'),
        content: { role: 'model', parts: [{ text: 'Once' }] },
      },
    ]);
    expect(events[0]?.content?.parts).toHaveLength(1);
    expect([error, model.requests.length]).toEqual([undefined, 1]);
  });

  it('neither runs the calls of a partial event nor stores it (B19)', async () => {
    const { agent } = anAgent([[partial(calls({ name: 'ping' })), text('never mind')]]);

    const { events, journal } = await runTurn(agent);

    expect(events).toHaveLength(2);
    expect(journal.staged.map(({ event }) => event.content?.parts?.[0]?.text)).toEqual(['hi', 'never mind']);
  });

  it('ends the turn with an event that names its limit of rounds', async () => {
    const round = [calls({ name: 'ping' })];
    const { agent, model } = anAgent([round, round, round], { maxIterations: 2 });

    const { events } = await runTurn(agent);

    expect(model.requests).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ errorCode: 'MAX_ITERATIONS' });
  });

  it('tells the model its instruction, then who it is, pieces set off by blank lines (B25)', async () => {
    const { agent, model } = anAgent([[text('ok')]], {
      instruction: 'Speak to {user:name}.',
      description: 'Greets people.',
    });

    await runTurn(agent, { stateDelta: { 'user:name': 'Ada' } });

    expect(model.requests[0]?.config.systemInstruction).toBe(
      'Speak to Ada.\n\nYou are an agent. Your internal name is "root". The description about you is "Greets people.".',
    );
  });

  it('takes the text of an instruction provider as it is (B59)', async () => {
    const { agent, model } = anAgent([[text('ok')]], {
      instruction: ({ sessionId }) => `{not} ${sessionId}`,
    });

    await runTurn(agent);

    expect(model.requests[0]?.config.systemInstruction).toMatch(/^\{not\} s\n\n/);
  });

  it('gives calls without an id one that the stored event and the response share (B9)', async () => {
    const { agent } = anAgent([[calls({ name: 'ping' }, { id: 'own', name: 'ping' })], [text('ok')]]);

    const { events } = await runTurn(agent);

    const [asked, answered] = events.map(({ content }) =>
      content?.parts?.map(({ functionCall, functionResponse }) => (functionCall ?? functionResponse)?.id),
    );
    expect(asked).toEqual([expect.stringMatching(/^adk-[0-9a-f-]{36}$/), 'own']);
    expect(answered).toEqual(asked);
  });

  it('tells each request whose it is', async () => {
    const { agent, model } = anAgent([[text('ok')]]);

    const { session } = await runTurn(agent);

    expect(model.requests[0]?.origin).toMatchObject({ agentName: 'root', sessionId: session.id });
  });
});

describe('an agent that handed over', () => {
  it('is not asked again when the other one waits for a credential (B20)', async () => {
    const bank = new FunctionTool({
      name: 'bank',
      description: 'Needs a credential.',
      execute: (_args, context) => {
        context.requestCredential({ authScheme: { type: 'apiKey' }, credentialKey: 'bank' });
        return { status: 'waiting' };
      },
    });
    const child = new LlmAgent({
      name: 'child',
      model: new FakeLlm([[calls({ name: 'bank' })]]),
      tools: [bank],
    });
    const { agent, model } = anAgent(
      [[calls({ name: 'transfer_to_agent', args: { agentName: 'child' } })], [text('too early')]],
      { subAgents: [child] },
    );

    const { events } = await runTurn(agent);

    expect(model.requests).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ author: 'child' });
  });
});
