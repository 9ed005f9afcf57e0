import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { FunctionTool } from '../tool/function-tool';

describe('a call whose arguments are no JSON', () => {
  it('is answered with an error for the model, and not made', async () => {
    const execute = jest.fn();
    const tools = [new FunctionTool({ name: 'f', description: 'Fs.', execute })];
    const malformedArgs = `{"city": "Kö${'ö'.repeat(600)}`;
    const model = new FakeLlm([[calls({ id: '1', name: 'f', args: {}, malformedArgs })], [text('done')]]);

    const { events, error } = await runTurn(new LlmAgent({ name: 'root', model, tools }));

    expect(error).toBeUndefined();
    expect(execute).not.toHaveBeenCalled();
    expect(events[1]?.content?.parts?.[0]?.functionResponse?.response).toEqual({
      error: `The arguments are no JSON object, so the call was not made: ${malformedArgs.slice(0, 500)}`,
    });
    expect(events.at(-1)?.content?.parts).toEqual([{ text: 'done' }]);
  });
});
