import { aRequest, saying } from '@skein/testing';
import { toGeminiRequest } from './to-gemini-request';

const model = 'gemini-2.5-flash';

describe('toGeminiRequest', () => {
  it('strips the call ids the engine gave, on the copy alone (B9)', () => {
    const parts = [
      { functionCall: { id: 'adk-1', name: 'f', args: { a: 1 } } },
      { functionCall: { id: 'own', name: 'f' } },
    ];
    const responses = [{ functionResponse: { id: 'adk-1', name: 'f', response: {} } }];
    const request = aRequest({
      contents: [
        { role: 'model', parts },
        { role: 'user', parts: responses },
      ],
    });

    const { contents } = toGeminiRequest(request, model);

    expect(contents).toEqual([
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: 1 } } }, parts[1]] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ]);
    expect(parts[0]?.functionCall.id).toBe('adk-1');
  });

  it('says something for a user who said nothing (B14)', () => {
    expect(toGeminiRequest(aRequest(), model).contents).toEqual([
      {
        role: 'user',
        parts: [{ text: 'Handle the requests as specified in the System Instruction.' }],
      },
    ]);
  });

  it('asks the model to go on when it spoke last (B14)', () => {
    const contents = [{ role: 'model', parts: [{ text: 'Well.' }] }];

    expect(toGeminiRequest(aRequest({ contents }), model).contents).toEqual([
      ...contents,
      { role: 'user', parts: [{ text: expect.stringMatching(/^Continue processing previous requests/) }] },
    ]);
  });

  it('passes the settings on and never lets the SDK run tools', () => {
    const config = { systemInstruction: 'Be kind.', temperature: 0.5 };

    expect(toGeminiRequest({ ...saying('hi'), config }, model).config).toEqual({
      ...config,
      automaticFunctionCalling: { disable: true },
    });
  });
});
