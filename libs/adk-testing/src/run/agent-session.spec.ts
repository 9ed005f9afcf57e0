import {
  App,
  AgentTool,
  FunctionTool,
  Gemini,
  LlmAgent,
  LLMRegistry,
  LongRunningFunctionTool,
  StreamingMode,
} from '@skein/adk';
import {
  AgentSession,
  agentMatchers,
  calls,
  fails,
  runAgent,
  says,
  type Script,
  scripted,
  standIn,
  streams,
  together,
  transfersTo,
} from '../index';

expect.extend(agentMatchers);

const note = new FunctionTool({
  name: 'note',
  description: 'Takes a note.',
  execute: async (_args, context) => {
    context.state.set('notes', (context.state.get<number>('notes') ?? 0) + 1);
    await context.saveArtifact('notes.md', { text: '# Notes' });
    return { noted: true };
  },
});
const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays.',
  requireConfirmation: true,
  execute: () => 'paid',
});
const askLater = new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined });

function agentWith(script: Script) {
  const model = scripted(script);
  return { model, agent: new LlmAgent({ name: 'desk', model, tools: [note, pay, askLater] }) };
}

describe('runAgent', () => {
  it('settles with events, final text, state and artifacts', async () => {
    const { agent, model } = agentWith([calls('note'), says('Noted.')]);

    const run = await runAgent(agent, 'note it', { state: { notes: 4 } });

    expect(run).toHaveToolCall('note', {});
    expect(run).toHaveToolResponse('note', { noted: true });
    expect(run).toHaveStateDelta({ notes: 5 });
    expect(run).toHaveSavedArtifact('notes.md', 0);
    expect(run.finalText).toBe('Noted.');
    expect(run.state).toEqual({ notes: 5 });
    expect(run.artifacts).toEqual({ 'notes.md': { text: '# Notes' } });
    expect(run.error).toBeUndefined();
    expect(model.requests).toHaveLength(2);
    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'note it' }] }]);
    expect(model.lastRequest.contents).toHaveLength(3);
  });

  it('gives the pieces of a stream apart from what is stored', async () => {
    const { agent } = agentWith([streams('One', ' two.')]);

    const run = await runAgent(agent, 'hi', { runConfig: { streamingMode: StreamingMode.SSE } });

    expect(run.pieces.map(({ content }) => content?.parts?.[0]?.text)).toEqual(['One', ' two.']);
    expect(run.events).toHaveLength(1);
    expect(run).toHaveFinalText('One two.');
  });

  it('settles with an error that the log tells of', async () => {
    const agent = new LlmAgent({ name: 'desk', model: 'nobody-has-this' });

    const run = await runAgent(agent, 'hi');

    expect(run.error?.message).toContain('"nobody-has-this"');
    expect(run).toHaveErrorCode('model.unknown');
  });

  it('shows a refusal as the event it is', async () => {
    const { agent } = agentWith([fails('SAFETY')]);

    const run = await runAgent(agent, 'hi');

    expect(run).toHaveErrorCode('SAFETY');
    expect(run).toHaveFinalText('');
  });

  it("throws what is the test's own mistake", async () => {
    const { agent } = agentWith([]);

    await expect(runAgent(agent, { role: 'user', parts: [] })).rejects.toThrow();
  });

  it('takes an app, with what is its own', async () => {
    const { agent } = agentWith([says('Hi.')]);

    expect((await runAgent(new App({ name: 'hotel', rootAgent: agent }), 'hi')).finalText).toBe('Hi.');
  });

  it('gives each agent its own script', async () => {
    const model = scripted({
      desk: [calls('translator', { request: 'bonjour' }), transfersTo('cashier')],
      translator: [says('good day')],
      cashier: [says('You owe nothing.')],
    });
    const translator = new LlmAgent({ name: 'translator', model, description: 'Translates.' });
    const cashier = new LlmAgent({ name: 'cashier', model, description: 'Knows the bill.' });
    const tools = [new AgentTool({ agent: translator })];

    const run = await runAgent(new LlmAgent({ name: 'desk', model, tools, subAgents: [cashier] }), 'hi');

    expect(run).toHaveToolResponse('translator', { result: 'good day' });
    expect(run).toHaveTransferredTo('cashier');
    expect(run).toHaveFinalText('You owe nothing.');
  });
});

describe('AgentSession', () => {
  it('goes on with what was said, and keeps requests as they were', async () => {
    const { agent, model } = agentWith([says('One.'), says('Two.')]);
    const session = new AgentSession(agent);

    await session.say('first');
    const { finalText } = await session.say('second');

    expect(finalText).toBe('Two.');
    expect(model.requests.map(({ contents }) => contents.length)).toEqual([1, 3]);
  });

  it.each([
    [true, 'pay → {"result":"paid"}'],
    [false, 'rejected'],
  ])('answers a confirmation with %s', async (confirmed, told) => {
    const { agent } = agentWith([calls('pay'), says('Done.')]);
    const session = new AgentSession(agent);

    const asked = await session.say('pay');
    const run = await session.confirm(confirmed);

    expect(asked).toHaveAskedConfirmation('pay');
    expect(JSON.stringify(run.events)).toContain(confirmed ? '"result":"paid"' : told);
    expect(run).toHaveFinalText('Done.');
    await expect(session.confirm()).rejects.toThrow('No open call of adk_request_confirmation');
  });

  it('answers a call that takes long, by name where several are open', async () => {
    const { agent } = agentWith([
      together(calls('ask', { n: 1 }), calls('pay')),
      says('Thanks.'),
      says('Paid.'),
    ]);
    const session = new AgentSession(agent);

    const asked = await session.say('go');
    const run = await session.answer({ result: 'granted' }, 'ask');

    expect(asked).toHaveAskedConfirmation('pay');
    expect(run).toHaveFinalText('Thanks.');
    await expect(session.answer({}, 'ask')).rejects.toThrow(
      'No open call of ask to answer; open: adk_request_confirmation.',
    );
  });
});

describe('standIn', () => {
  it('answers for a name, the one made last first', async () => {
    const first = scripted([says('First.')]);
    const second = scripted([says('Second.')]);
    LLMRegistry.register(Gemini);
    standIn(/gemini-.*/, first);
    standIn('gemini-2.5-flash', second);

    const agent = new LlmAgent({ name: 'desk', model: 'gemini-2.5-flash' });
    const other = new LlmAgent({ name: 'desk', model: 'gemini-2.5-pro' });

    expect((await runAgent(agent, 'hi')).finalText).toBe('Second.');
    expect((await runAgent(other, 'hi')).finalText).toBe('First.');
    expect(first.lastRequest.model).toBe('gemini-2.5-pro');
  });

  it('says so when it was asked nothing', () => {
    expect(() => scripted([]).lastRequest).toThrow('asked nothing');
  });
});
