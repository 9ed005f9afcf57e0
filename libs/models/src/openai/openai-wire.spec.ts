import { readPiece } from './openai-wire';

describe('readPiece', () => {
  it('takes what is null, and what no reader knows', () => {
    const piece = { choices: [{ delta: { content: null, tool_calls: null } }], usage: null, nonsense: 1 };

    expect(readPiece(piece)).toEqual(piece);
    expect(readPiece({ choices: null })).toEqual({ choices: null });
  });

  it.each([
    ['a page', '<html>'],
    ['a list', []],
    ['text where calls are due', { choices: [{ delta: { tool_calls: 'f()' } }] }],
  ])('refuses %s', (_what, value) => {
    expect(() => readPiece(value)).toThrow(expect.objectContaining({ code: 'model.bad-answer' }));
  });

  it.each([
    ['LiteLLM', { error: { message: 'Too many.', code: '429' } }],
    ['older vLLM', { object: 'error', message: 'Too many.', code: 429 }],
    ['a server that says it in a word', { error: 'Too many.' }],
  ])('throws the failure that %s reports in the place of an answer', (_who, value) => {
    expect(() => readPiece(value)).toThrow('Too many.');
  });
});
