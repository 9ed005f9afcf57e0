import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { getUserChoiceTool } from './get-user-choice-tool';

describe('get_user_choice', () => {
  const ask = calls({ id: 'c1', name: 'get_user_choice', args: { options: ['tea', 'milk'] } });

  it('stands with its options until the user chooses; then the model reads what he chose (B29, B47)', async () => {
    const model = new FakeLlm([[ask], [text('Tea it is.')]]);
    const agent = new LlmAgent({ name: 'root', model, tools: [getUserChoiceTool] });
    const { session, journal, events } = await runTurn(agent);
    const chosen = { functionResponse: { id: 'c1', name: 'get_user_choice', response: { result: 'tea' } } };

    const next = await runTurn(agent, { session, journal, said: { parts: [chosen] }, segment: 1 });

    expect(events).toMatchObject([{ longRunningToolIds: ['c1'] }]);
    expect(next.events).toMatchObject([{ content: { parts: [{ text: 'Tea it is.' }] } }]);
    expect(model.requests[1]?.contents.at(-1)?.parts).toEqual([chosen]);
  });

  it('runs beside the agent and needs options', () => {
    expect(getUserChoiceTool.placement).toBe('inline');
    expect(getUserChoiceTool.getDeclaration().parametersJsonSchema).toMatchObject({ required: ['options'] });
  });
});
