import { cameFrom } from '../request/part-origin';
import { fromOpenAICompletion } from './from-openai-completion';
import { type WireSaid } from './openai-wire';

const completion = (message: WireSaid, finish: string | null = 'stop') => ({
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, message, finish_reason: finish }],
});

describe('fromOpenAICompletion', () => {
  it('keeps thoughts, text and calls, in this order', () => {
    const call = (id: string) => ({
      id,
      index: 0,
      type: 'function',
      function: { name: 'f', arguments: '{}' },
    });

    expect(
      fromOpenAICompletion({
        ...completion(
          { content: 'Wait.', reasoning_content: 'Hm.', tool_calls: [call('a'), call('b')] },
          'tool_calls',
        ),
        usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 },
      }),
    ).toEqual({
      content: {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true, ...cameFrom({ provider: 'openai' }) },
          { text: 'Wait.' },
          { functionCall: { id: 'a', name: 'f', args: {} } },
          { functionCall: { id: 'b', name: 'f', args: {} } },
        ],
      },
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 3, totalTokenCount: 7 },
      modelVersion: 'gpt-4o-2024-08-06',
    });
  });

  it('takes the first choice alone, and an answer that says no reason', () => {
    const others = { index: 1, message: { content: 'Other.' }, finish_reason: 'stop' };
    const { model, choices } = completion({ content: 'Well.' }, null);

    expect(fromOpenAICompletion({ model, choices: [others, ...choices] })).toEqual({
      content: { role: 'model', parts: [{ text: 'Well.' }] },
      modelVersion: 'gpt-4o-2024-08-06',
    });
  });

  it('makes a refusal an error code with its reason', () => {
    const refused = fromOpenAICompletion(completion({ content: null, refusal: 'I cannot do that.' }));

    expect(refused).toMatchObject({ errorCode: 'SAFETY', errorMessage: 'I cannot do that.' });
    expect(fromOpenAICompletion(completion({ content: '' }, 'content_filter'))).toMatchObject({
      errorCode: 'SAFETY',
    });
    expect(fromOpenAICompletion({ choices: [] })).toMatchObject({ errorCode: 'UNKNOWN_ERROR' });
  });
});
