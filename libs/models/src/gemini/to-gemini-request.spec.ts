import { aRequest, saying } from '@skein/testing';
import { cameFrom } from '../provider/part-origin';
import { toGeminiRequest } from './to-gemini-request';

const target = { model: 'gemini-2.5-flash' };

describe('toGeminiRequest', () => {
  it('strips the call ids the engine gave, on the copy alone (B9)', () => {
    const parts = [
      { functionCall: { id: 'adk-1', name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
      { functionCall: { id: 'own', name: 'f' } },
    ];
    const responses = [{ functionResponse: { id: 'adk-1', name: 'f', response: {} } }];
    const request = aRequest({
      contents: [
        { role: 'model', parts },
        { role: 'user', parts: responses },
      ],
    });

    const { contents } = toGeminiRequest(request, target);

    expect(contents).toEqual([
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' }, parts[1]],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ]);
    expect(parts[0]?.functionCall.id).toBe('adk-1');
  });

  it.each([false, true])('leaves out what another provider thought and signed, vertexai: %s', (vertexai) => {
    const ours = cameFrom({ provider: 'anthropic', isRedacted: true });
    const functionCall = { id: '1', name: 'f', args: {} };
    const contents = [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ thought: true, thoughtSignature: 'c2ln', ...ours }] },
      { role: 'model', parts: [{ functionCall, thoughtSignature: 'c2ln', ...ours }] },
      { role: 'user', parts: [{ functionResponse: { id: '1', name: 'f', response: {} } }] },
    ];

    const sent = toGeminiRequest(aRequest({ contents }), { ...target, vertexai }).contents;
    expect(sent).toEqual([contents[0], { role: 'model', parts: [{ functionCall }] }, contents[3]]);
  });

  it("keeps an author's metadata from Vertex AI alone, which knows none", () => {
    const part = { text: 'hi', partMetadata: { page: 3 } };
    const request = aRequest({ contents: [{ role: 'user', parts: [part] }] });

    expect(toGeminiRequest(request, target).contents).toEqual([{ role: 'user', parts: [part] }]);
    expect(toGeminiRequest(request, { ...target, vertexai: true }).contents).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
    ]);
  });

  it('tells of a call what the API knows of one', () => {
    const functionCall = { id: '1', name: 'f', args: {}, malformedArgs: '{"q', willContinue: false };
    const contents = [
      { role: 'model', parts: [{ functionCall }] },
      { role: 'user', parts: [{ text: 'hi' }] },
    ];

    expect(toGeminiRequest(aRequest({ contents }), target).contents).toMatchObject([
      { parts: [{ functionCall: { id: '1', name: 'f', args: {} } }] },
      {},
    ]);
    expect(JSON.stringify(toGeminiRequest(aRequest({ contents }), target))).not.toMatch(/malformed|will/);
  });

  it.each([
    ['nothing was said', []],
    ['nothing is in what was said', [{ role: 'user', parts: [] }, { role: 'model' }]],
  ])('has the user speak when %s (B14)', (_what, contents) => {
    expect(toGeminiRequest(aRequest({ contents }), target).contents).toEqual([
      { role: 'user', parts: [{ text: expect.stringMatching(/^Handle the requests/) }] },
    ]);
  });

  it('has the user speak last (B14)', () => {
    const contents = [{ role: 'model', parts: [{ text: 'Well.' }] }];

    expect(toGeminiRequest(aRequest({ contents }), target).contents).toMatchObject([
      { role: 'model' },
      { role: 'user', parts: [{ text: expect.stringMatching(/^Continue processing/) }] },
    ]);
  });

  it('passes the settings on and never lets the SDK run tools', () => {
    const config = { systemInstruction: 'Be kind.', temperature: 0.5 };

    expect(toGeminiRequest({ ...saying('hi'), config }, target).config).toEqual({
      ...config,
      automaticFunctionCalling: { disable: true },
    });
  });

  it('leaves out of a request what its cached content holds', () => {
    const config = {
      cachedContent: 'cachedContents/c1',
      systemInstruction: 'Be kind.',
      tools: [],
      toolConfig: {},
      temperature: 0.5,
    };

    expect(toGeminiRequest({ ...saying('hi'), config }, target).config).toEqual({
      cachedContent: 'cachedContents/c1',
      temperature: 0.5,
      automaticFunctionCalling: { disable: true },
    });
  });

  it("tells labels and files' names to Vertex AI alone", () => {
    const inlineData = { mimeType: 'image/png', data: 'QUJD', displayName: 'cat.png' };
    const fileData = { fileUri: 'gs://b/cat.png', displayName: 'cat.png' };
    const contents = [{ role: 'user', parts: [{ inlineData }, { fileData }] }];
    const request = aRequest({ contents, config: { labels: { team: 'a' } } });

    const [api, vertex] = [false, true].map((vertexai) => toGeminiRequest(request, { ...target, vertexai }));

    expect(JSON.stringify(api)).not.toMatch(/displayName|labels/);
    expect(vertex).toMatchObject({ contents, config: { labels: { team: 'a' } } });
  });
});
