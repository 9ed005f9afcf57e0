import { type Part } from '@skein/contracts';
import { aSession, anEvent, FakeLlm, partial, runTurn, text } from '@skein/testing';
import { Context } from '../agent/context';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmResponse } from '../model/llm-response';
import { FunctionTool } from '../tool/function-tool';
import { BasePlanner } from './base-planner';
import { BuiltInPlanner } from './built-in-planner';
import { PlanReActPlanner } from './plan-re-act-planner';

const aContext = new Context({
  invocationId: 'e-1',
  session: aSession(),
  agentName: 'root',
  signal: new AbortController().signal,
});

const parts = (...given: readonly Part[]): LlmResponse => ({ content: { role: 'model', parts: [...given] } });
const call = (id: string, name = 'look'): Part => ({ functionCall: { id, name, args: {} } });

describe('BuiltInPlanner', () => {
  it("asks for the model's own thinking in each request, and leaves answers as they are (B24)", async () => {
    const thinkingConfig = { includeThoughts: true, thinkingBudget: 64 };
    const model = new FakeLlm([[parts({ text: 'hm', thought: true }, { text: 'so' })]]);
    const planner = new BuiltInPlanner({ thinkingConfig });

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, planner }));

    expect(model.requests[0]?.config.thinkingConfig).toEqual(thinkingConfig);
    expect(events[0]?.content?.parts).toEqual([{ text: 'hm', thought: true }, { text: 'so' }]);
  });

  it("wins over the agent's generation settings, which stay as they were written", async () => {
    const model = new FakeLlm([[text('so')]]);
    const generateContentConfig = { thinkingConfig: { thinkingBudget: 1 } };
    const planner = new BuiltInPlanner({ thinkingConfig: { thinkingBudget: 64 } });

    await runTurn(new LlmAgent({ name: 'root', model, planner, generateContentConfig }));

    expect(model.requests[0]?.config.thinkingConfig).toEqual({ thinkingBudget: 64 });
    expect(generateContentConfig).toEqual({ thinkingConfig: { thinkingBudget: 1 } });
  });
});

describe('PlanReActPlanner', () => {
  const read = (...given: readonly Part[]): Part[] | undefined =>
    new PlanReActPlanner().processPlanningResponse(aContext, given);

  it('tells the model the stages and their tags', async () => {
    const model = new FakeLlm([[text('so')]]);
    const planner = new PlanReActPlanner();

    await runTurn(new LlmAgent({ name: 'root', model, planner, instruction: 'Be brief.' }));

    const instruction = model.requests[0]?.config.systemInstruction ?? '';
    expect(instruction).toMatch(/^Be brief\./);
    for (const tag of ['PLANNING', 'REPLANNING', 'REASONING', 'ACTION', 'FINAL_ANSWER']) {
      expect(instruction).toContain(`/*${tag}*/`);
    }
  });

  it('takes all that leads to the final answer for thought', () => {
    const read1 = read({ text: '/*PLANNING*/ 1. look /*REASONING*/ seen /*FINAL_ANSWER*/ 42' });
    const read2 = read({ text: 'First,' }, { text: 'then /*FINAL_ANSWER*/' }, { text: '42' });

    expect(read1).toEqual([{ text: ' 1. look /*REASONING*/ seen ', thought: true }, { text: ' 42' }]);
    expect(read2).toEqual([
      { text: 'First,', thought: true },
      { text: 'then ', thought: true },
      { text: '42' },
    ]);
  });

  it('takes tagged text for thought while there is no final answer, and other text for speech', () => {
    const marked = read(
      { text: '/*PLANNING*/ plan' },
      { text: 'I look it up.' },
      { text: '/*ACTION*/' },
      call('c1'),
    );

    expect(marked).toEqual([
      { text: ' plan', thought: true },
      { text: 'I look it up.' },
      { text: '', thought: true },
      call('c1'),
    ]);
  });

  it('keeps the first calls only: what comes after was written without their results', () => {
    const kept = read(call('c1'), call('c2'), { text: '/*FINAL_ANSWER*/ 42' }, call('c3'));

    expect(kept).toEqual([call('c1'), call('c2')]);
  });

  it('drops calls without a name, and leaves an answer without parts alone', () => {
    const nameless = read(call('c0', ''), { text: 'so' });

    expect(nameless).toEqual([{ text: 'so' }]);
    expect(read()).toBeUndefined();
  });

  it('runs the calls it kept, and shows the model its own plan afterwards, not as a thought', async () => {
    const look = new FunctionTool({ name: 'look', description: '', execute: () => 'seen' });
    const model = new FakeLlm([
      [parts({ text: '/*PLANNING*/ look' }, call('c1'), { text: '/*FINAL_ANSWER*/ made up' })],
      [parts({ text: '/*FINAL_ANSWER*/ 42' })],
    ]);

    const { events } = await runTurn(
      new LlmAgent({ name: 'root', model, tools: [look], planner: new PlanReActPlanner() }),
    );

    expect(events.map(({ content }) => content?.parts?.[0])).toMatchObject([
      { text: ' look', thought: true },
      { functionResponse: { response: { result: 'seen' } } },
      { text: ' 42' },
    ]);
    const plan = model.requests[1]?.contents.find(({ role }) => role === 'model');
    expect(plan?.parts?.[0]).toEqual({ text: ' look' });
    expect(JSON.stringify(events)).not.toContain('made up');
  });

  it('leaves streamed pieces as they come', async () => {
    const model = new FakeLlm([[partial(text('/*PLANNING*/')), text('/*PLANNING*/ plan')]]);
    const agent = new LlmAgent({ name: 'root', model, planner: new PlanReActPlanner() });

    const { events } = await runTurn(agent, { runConfig: { streamingMode: 'sse' } });

    expect(events.map(({ content }) => content?.parts)).toEqual([
      [{ text: '/*PLANNING*/' }],
      [{ text: ' plan', thought: true }],
    ]);
  });

  it('does not change the stored events whose thought marks it takes away (B9)', async () => {
    const spoken = { role: 'model', parts: [{ text: 'plan', thought: true }, { text: 'so' }] };
    const session = aSession({ events: [anEvent({ author: 'root', content: spoken })] });
    const model = new FakeLlm([[], [text('done')]]);

    await runTurn(new LlmAgent({ name: 'root', model, planner: new PlanReActPlanner() }), { session });

    expect(model.requests[0]?.contents[0]?.parts).toEqual([{ text: 'plan' }, { text: 'so' }]);
    expect(session.events[0]?.content).toEqual(spoken);
  });
});

describe("an author's own planner", () => {
  class Counting extends BasePlanner {
    override buildPlanningInstruction(): string {
      return 'Count.';
    }

    override processPlanningResponse({ state }: Context): undefined {
      state.set('counted', (state.get<number>('counted') ?? 0) + 1);
    }
  }

  it('adds its instruction, and what it sets in state is stored before the answer, once', async () => {
    const model = new FakeLlm([[text('so')]]);
    const agent = new LlmAgent({ name: 'root', model, planner: new Counting() });

    const turn = await runTurn(agent);
    const again = await runTurn(agent, { journal: turn.journal });

    expect(model.requests[0]?.config.systemInstruction).toContain('Count.');
    expect(turn.events).toMatchObject([
      { actions: { stateDelta: { counted: 1 } } },
      { content: text('so').content },
    ]);
    expect(again.events).toEqual(turn.events);
    expect([turn.session.state, again.session.state]).toEqual([{ counted: 1 }, { counted: 1 }]);
  });
});
