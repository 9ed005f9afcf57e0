import type { GenerateContentConfig } from '@google/genai';
import { aRequest, saying } from '@skein/testing';
import { cameFrom } from '../request/part-origin';
import { toGeminiRequest } from './to-gemini-request';

const target = { model: 'gemini-2.5-flash' };
const hi = { role: 'user', parts: [{ text: 'hi' }] };

/** A setting that a later SDK has is missing here by its type. */
const SETTINGS = {
  httpOptions: { headers: { 'x-team': 'a' } },
  serviceTier: 'flex',
  systemInstruction: 'Be kind.',
  temperature: 0.5,
  topP: 0.9,
  topK: 40,
  candidateCount: 1,
  maxOutputTokens: 100,
  stopSequences: ['END'],
  responseLogprobs: true,
  logprobs: 3,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  seed: 7,
  responseMimeType: 'application/json',
  responseSchema: { type: 'OBJECT' },
  responseJsonSchema: { type: 'object' },
  routingConfig: { autoMode: {} },
  modelSelectionConfig: {},
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  tools: [{ googleSearch: {} }],
  toolConfig: { retrievalConfig: { languageCode: 'de' } },
  responseModalities: ['TEXT'],
  mediaResolution: 'MEDIA_RESOLUTION_LOW',
  speechConfig: { languageCode: 'de-DE' },
  audioTimestamp: true,
  thinkingConfig: { includeThoughts: true },
  audioTranscriptionConfig: {},
  imageConfig: { aspectRatio: '1:1' },
  enableEnhancedCivicAnswers: true,
  modelArmorConfig: {},
  continuationToken: 'c',
  automaticContinuation: false,
  generationOutputConfig: {},
  store: false,
} satisfies Record<Exclude<keyof GenerateContentConfig, SetHere>, unknown>;
/** Ours, Vertex AI's alone, and what is in place of others: each has a test of its own. */
type SetHere = 'abortSignal' | 'automaticFunctionCalling' | 'labels' | 'cachedContent';

describe('toGeminiRequest', () => {
  it('strips the call ids the engine gave, on the copy alone (B9)', () => {
    const parts = [
      { functionCall: { id: 'adk-1', name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
      { functionCall: { id: 'own', name: 'f' } },
    ];
    const responses = ['adk-1', 'own'].map((id) => ({ functionResponse: { id, name: 'f', response: {} } }));
    const request = aRequest({
      contents: [hi, { role: 'model', parts }, { role: 'user', parts: responses }],
    });

    const { contents } = parametersOf(request, target);

    expect(contents).toEqual([
      hi,
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' }, parts[1]],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }, responses[1]] },
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

    const sent = parametersOf(aRequest({ contents }), { ...target, vertexai }).contents;
    expect(sent).toEqual([contents[0], { role: 'model', parts: [{ functionCall }] }, contents[3]]);
  });

  it("keeps an author's metadata from Vertex AI alone, which knows none", () => {
    const part = { text: 'hi', partMetadata: { page: 3 } };
    const request = aRequest({ contents: [{ role: 'user', parts: [part] }] });

    expect(parametersOf(request, target).contents).toEqual([{ role: 'user', parts: [part] }]);
    expect(parametersOf(request, { ...target, vertexai: true }).contents).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
    ]);
  });

  it('tells of a call what the API knows of one', () => {
    const functionCall = { id: '1', name: 'f', args: {}, malformedArgs: '{"q', willContinue: false };
    const contents = [hi, { role: 'model', parts: [{ functionCall }] }];

    expect(parametersOf(aRequest({ contents }), target).contents).toMatchObject([
      {},
      { parts: [{ functionCall: { id: '1', name: 'f', args: {} } }] },
      {},
    ]);
    expect(JSON.stringify(parametersOf(aRequest({ contents }), target))).not.toMatch(/malformed|will/);
  });

  it.each([
    ['nothing was said', []],
    ['nothing is in what was said', [{ role: 'user', parts: [] }, { role: 'model' }]],
  ])('has the user speak when %s (B14)', (_what, contents) => {
    expect(parametersOf(aRequest({ contents }), target).contents).toEqual([
      { role: 'user', parts: [{ text: expect.stringMatching(/^Handle the requests/) }] },
    ]);
  });

  it('has the user speak last (B14)', () => {
    const contents = [{ role: 'model', parts: [{ text: 'Well.' }] }];

    expect(parametersOf(aRequest({ contents }), target).contents).toMatchObject([
      { role: 'model' },
      { role: 'user', parts: [{ text: expect.stringMatching(/^Continue processing/) }] },
    ]);
  });

  it('passes the settings on and never lets the SDK run tools', () => {
    const config = { systemInstruction: 'Be kind.', temperature: 0.5 };

    expect(parametersOf({ ...saying('hi'), config }, target).config).toEqual({
      ...config,
      automaticFunctionCalling: { disable: true },
    });
  });

  it('passes every setting of the SDK on', () => {
    expect(parametersOf({ ...saying('hi'), config: SETTINGS }, target).config).toMatchObject(SETTINGS);
  });

  it('leaves out of a request what its cached content holds', () => {
    const config = {
      cachedContent: 'cachedContents/c1',
      systemInstruction: 'Be kind.',
      tools: [],
      toolConfig: {},
      temperature: 0.5,
    };

    expect(parametersOf({ ...saying('hi'), config }, target).config).toEqual({
      cachedContent: 'cachedContents/c1',
      temperature: 0.5,
      automaticFunctionCalling: { disable: true },
    });
  });

  it('declares each function once, by a name that the API takes and in JSON Schema', () => {
    const parameters = { type: 'OBJECT', properties: { at: { type: 'STRING', const: 'x' } } };
    const functionDeclarations = [
      { name: '2.tools/f', description: '', parameters },
      { name: '2.tools/f', description: 'Again.' },
    ];
    const functionCallingConfig = { mode: 'ANY', allowedFunctionNames: ['2.tools/f', 'g'] };
    const config = { tools: [{ functionDeclarations }, {}], toolConfig: { functionCallingConfig } };

    const declaration = {
      name: '_2_tools_f',
      description: '',
      parametersJsonSchema: { type: 'object', properties: { at: { type: 'string', const: 'x' } } },
    };
    expect(parametersOf(aRequest({ config }), target).config).toMatchObject({
      tools: [{ functionDeclarations: [declaration] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['_2_tools_f'] } },
    });
    expect(parametersOf(aRequest({ config }), target).config).not.toHaveProperty(
      'tools.0.functionDeclarations.0.parameters',
    );
  });

  it.each([
    ['of no function', [], { mode: 'ANY', allowedFunctionNames: ['f'] }, undefined],
    [
      'by names where any may be called',
      [{ name: 'f', description: 'A.' }],
      { mode: 'AUTO', allowedFunctionNames: ['f'] },
      { mode: 'AUTO' },
    ],
  ])(
    'makes no choice %s, which the API refuses',
    (_what, functionDeclarations, functionCallingConfig, told) => {
      const config = { tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig } };
      const sent = parametersOf(aRequest({ config }), target).config;

      expect(sent?.toolConfig?.functionCallingConfig).toEqual(told);
      expect(sent?.tools ?? []).toHaveLength(functionDeclarations.length);
    },
  );

  it("tells labels and files' names to Vertex AI alone", () => {
    const inlineData = { mimeType: 'image/png', data: 'QUJD', displayName: 'cat.png' };
    const fileData = { fileUri: 'gs://b/cat.png', displayName: 'cat.png' };
    const contents = [{ role: 'user', parts: [{ inlineData }, { fileData }] }];
    const request = aRequest({ contents, config: { labels: { team: 'a' } } });

    const [api, vertex] = [false, true].map((vertexai) => parametersOf(request, { ...target, vertexai }));

    expect(JSON.stringify(api)).not.toMatch(/displayName|labels/);
    expect(vertex).toMatchObject({ contents, config: { labels: { team: 'a' } } });
  });
});

function parametersOf(...[request, where]: Parameters<typeof toGeminiRequest>) {
  return toGeminiRequest(request, where).parameters;
}
