import { anEvent } from '@skein/testing';
import { isFinalResponse } from './is-final-response';

const call = { functionCall: { name: 'f' } };
const response = { functionResponse: { name: 'f' } };
const result = { codeExecutionResult: { output: '1' } };

function saying(...parts: object[]) {
  return anEvent({ content: { role: 'model', parts } });
}

describe('isFinalResponse (B16)', () => {
  it.each([
    ['a text', saying({ text: 'done' }), true],
    ['nothing', anEvent(), true],
    ['a call', saying({ text: 'wait' }, call), false],
    ['a response', saying(response), false],
    ['a partial text', { ...saying({ text: 'do' }), partial: true }, false],
    ['a code result at its end', saying({ text: 'so' }, result), false],
    ['a code result before its end', saying(result, { text: 'so' }), true],
    ['a call to a long-running tool', { ...saying(call), longRunningToolIds: ['1'] }, true],
    ['a call and no long-running tool', { ...saying(call), longRunningToolIds: [] }, false],
  ])('takes an event with %s for what it is', (_what, event, isFinal) => {
    expect(isFinalResponse(event)).toBe(isFinal);
  });

  it('ends the turn with a response whose tool said that no summary is wanted', () => {
    expect(
      isFinalResponse({
        ...anEvent({ actions: { skipSummarization: true } }),
        content: saying(response).content,
      }),
    ).toBe(true);
  });
});
