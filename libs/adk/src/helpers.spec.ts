import { type LlmRequest } from '@skein/engine';
import * as adk from './index';

const call = (id?: string): adk.Event =>
  adk.createEvent({ content: { parts: [{ functionCall: { name: 'f', ...(id ? { id } : {}) } }] } });
const answer = (id: string): adk.Event =>
  adk.createEvent({ content: { parts: [{ functionResponse: { name: 'f', id, response: {} } }] } });

describe('helpers of @google/adk', () => {
  const thinking = adk.createEvent({
    content: { parts: [{ text: 'Hm.', thought: true }, { text: 'Yes' }, { text: '.' }] },
  });

  it('reads the words of an event, and takes its thoughts away in a copy', () => {
    expect(adk.stringifyContent(thinking)).toBe('Yes.');
    expect(adk.hasThoughts(thinking)).toBe(true);
    expect(adk.hasThoughts(adk.pruneThoughts(thinking))).toBe(false);
    expect(thinking.content?.parts).toHaveLength(3);
    expect(adk.pruneThoughts(adk.createEvent())).toEqual(adk.createEvent());
  });

  it('sees whether code has just run', () => {
    const ran = adk.createEvent({
      content: { parts: [{ text: 'x' }, { codeExecutionResult: { output: '1' } }] },
    });

    expect(adk.hasTrailingCodeExecutionResult(ran)).toBe(true);
    expect(adk.hasTrailingCodeExecutionResult(thinking)).toBe(false);
  });

  it('gives ids to the calls that have none', () => {
    const events = [call(), call('mine')];
    for (const event of events) adk.populateClientFunctionCallId(event);

    const [[first], [second]] = events.map((event) => adk.getFunctionCalls(event)) as [
      adk.FunctionCall[],
      adk.FunctionCall[],
    ];
    expect(first?.id).toMatch(/^adk-[0-9a-f-]{36}$/);
    expect(second?.id).toBe('mine');
  });

  it('finds the call that is answered: the last before the answer', () => {
    const events = [call('a'), call('b'), call('a'), answer('a')];

    expect(adk.findMatchingFunctionCall(events)).toBe(events[2]);
    expect(adk.findEventByFunctionCallId(events, 'a', 2)).toBe(events[0]);
    expect(adk.findEventByFunctionCallId(events, 'c')).toBeUndefined();
    expect(adk.findMatchingFunctionCall(events.slice(0, 3))).toBeUndefined();
    expect(adk.findMatchingFunctionCall([])).toBeUndefined();
  });

  it('tells the kinds of what an event says, in order, and the end of the turn', () => {
    const kinds = (event: adk.Event): string[] => adk.toStructuredEvents(event).map(({ type }) => type);

    expect(kinds(thinking)).toEqual(['thought', 'content', 'content', 'finished']);
    expect(kinds(call('a'))).toEqual(['tool_call']);
    expect(kinds(answer('a'))).toEqual(['tool_result']);
    const asked = adk.createEvent({ actions: { requestedToolConfirmations: { a: {} } } });
    expect(kinds(asked)).toEqual(['tool_confirmation', 'finished']);
    expect(adk.toStructuredEvents(adk.createEvent({ errorCode: 'E', errorMessage: 'Why.' }))).toEqual([
      { type: adk.EventType.ERROR, error: new Error('Why.') },
    ]);
  });

  it('makes sessions and states', () => {
    expect(adk.createSession({ id: 's', appName: 'a' })).toEqual({
      ...{ id: 's', appName: 'a', userId: '', state: {}, events: [], lastUpdateTime: 0 },
    });
    expect(adk.mergeStates({ a: 1 }, { u: 2 }, { s: 3 })).toEqual({ 'app:a': 1, 'user:u': 2, s: 3 });
    expect(adk.trimTempState({ 'temp:a': 1, b: 2 })).toEqual({ b: 2 });
    const event = adk.createEvent({ actions: { stateDelta: { 'temp:a': 1, b: 2 } } });
    expect(adk.trimTempDeltaState(event).actions.stateDelta).toEqual({ b: 2 });
    expect(adk.createResumabilityConfig()).toEqual({ isResumable: false });
    expect(new adk.ToolConfirmation({ confirmed: true })).toMatchObject({ hint: '', confirmed: true });
  });

  it('knows the classes', () => {
    const agent = new adk.LlmAgent({ name: 'a' });
    const subAgents = [agent];
    expect(adk.isSequentialAgent(new adk.SequentialAgent({ name: 's', subAgents }))).toBe(true);
    expect(adk.isLoopAgent(agent)).toBe(false);
    expect(adk.isParallelAgent(new adk.ParallelAgent({ name: 'p' }))).toBe(true);
    expect(adk.isRunner(new adk.InMemoryRunner({ agent }))).toBe(true);
    expect(adk.isAgentTool(new adk.AgentTool({ agent }))).toBe(true);
    expect(adk.isFunctionTool(adk.EXIT_LOOP)).toBe(false);
  });

  it('lets Gemini run its own tools beside those of the agent, and no other model', async () => {
    const request: LlmRequest = {
      model: 'gemini-2.5-flash',
      contents: [],
      config: {},
      toolsDict: {},
      ordinal: 0,
    };
    const mine = new adk.FunctionTool({ name: 'mine', description: 'Mine.', execute: () => 1 });
    const toolContext = undefined as never;
    for (const tool of [adk.GOOGLE_SEARCH, mine, adk.URL_CONTEXT]) {
      await tool.processLlmRequest({ llmRequest: request, toolContext });
    }

    expect(request.config.tools).toEqual([
      { googleSearch: {} },
      { functionDeclarations: [{ name: 'mine', description: 'Mine.' }] },
      { urlContext: {} },
    ]);
    await expect(
      adk.GOOGLE_MAPS_GROUNDING.processLlmRequest({
        llmRequest: { ...request, model: 'gpt-5' },
        toolContext,
      }),
    ).rejects.toMatchObject({ code: 'model.no-tool' });
  });
});

describe("the author's logger", () => {
  afterEach(() => adk.setLogger(null));

  it('says to the console what is not below its level', () => {
    const debug = jest.spyOn(console, 'debug').mockReturnValue();
    const warn = jest.spyOn(console, 'warn').mockReturnValue();

    adk.getLogger().debug('not yet');
    adk.setLogLevel(adk.LogLevel.DEBUG);
    adk.getLogger().debug('now', 1);
    adk.setLogLevel(adk.LogLevel.ERROR);
    adk.getLogger().warn('not any more');

    expect(debug.mock.calls).toEqual([['now', 1]]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is silent without one', () => {
    const error = jest.spyOn(console, 'error').mockReturnValue();
    adk.setLogger(null);

    adk.getLogger().error('nobody hears');

    expect(error).not.toHaveBeenCalled();
  });
});
