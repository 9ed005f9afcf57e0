import { readAnswer } from './read-answer';

describe('readAnswer', () => {
  it('leaves the fields of an event that are not for a model to set', () => {
    const answer = {
      finishReason: 'STOP',
      branch: 'x',
      longRunningToolIds: ['c'],
      author: 'me',
      avgLogprobs: 1,
    };

    expect(readAnswer(answer)).toEqual({ finishReason: 'STOP', avgLogprobs: 1 });
  });

  it('keeps what it knows, and fields it does not know', () => {
    const answer = {
      content: { role: 'model', parts: [{ text: 'hi', novelty: 1 }] },
      novelty: { deep: true },
    };
    expect(readAnswer(answer)).toEqual(answer);
  });

  it.each([
    ['nothing', undefined, /.*/],
    ['a text', 'hi', /.*/],
    ['parts that are no list', { content: { parts: 'x' } }, /content\.parts/],
    ['a part that is nothing', { content: { parts: [null] } }, /content\.parts\.0/],
    ['a call without a name', { content: { parts: [{ functionCall: {} }] } }, /functionCall\.name/],
    [
      'a call whose arguments are a text',
      { content: { parts: [{ functionCall: { name: 'f', args: 'x' } }] } },
      /args/,
    ],
    ['token counts that are no numbers', { usageMetadata: { totalTokenCount: Infinity } }, /totalTokenCount/],
  ])('refuses %s, and says where', (_what, answer, where) => {
    const refused = expect.objectContaining({
      code: 'model.bad-answer',
      message: expect.stringMatching(where),
    });
    expect(() => readAnswer(answer)).toThrow(refused);
  });

  it.each([
    ['a BigInt', { customMetadata: { n: 1n } }, 'json.bigint'],
    ['more than it can hold', { customMetadata: { list: new Array(1e9) } }, 'json.too-many'],
  ])('refuses %s', (_what, answer, code) => {
    expect(() => readAnswer(answer)).toThrow(expect.objectContaining({ code }));
  });
});
