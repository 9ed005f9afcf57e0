import { ProviderServer } from '../provider-server';
import { geminiDialect } from './gemini-dialect';

const MODEL = 'gemini-2.5-flash';
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const called = { role: 'model', parts: [{ functionCall: { name: 'f' } }] };
const responded = { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] };
const declaring = (...names: string[]) => [
  { functionDeclarations: names.map((name) => ({ name, description: 'A tool.' })) },
];
const choosing = (...allowedFunctionNames: string[]) => ({
  functionCallingConfig: { mode: 'ANY', allowedFunctionNames },
});

describe("Gemini's server", () => {
  let server: ProviderServer;

  beforeEach(async () => {
    server = await ProviderServer.start(geminiDialect, MODEL);
  });
  afterEach(() => server.stop());

  it('answers what is in order', async () => {
    server.queue({ says: { parts: [{ text: 'Hello.' }] } });
    const { status, body } = await post({ contents, generationConfig: { temperature: 1 } });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }],
    });
  });

  it.each([
    ['nothing', undefined],
    ['no contents', {}],
    ['empty contents', { contents: [] }],
    ['a content without parts', { contents: [{ role: 'user', parts: [] }] }],
    ['a part without data', { contents: [{ role: 'user', parts: [{}] }] }],
    ['a part with two', { contents: [{ parts: [{ text: 'a', functionCall: { name: 'f' } }] }] }],
    ['a role nobody has', { contents: [{ role: 'tool', parts: [{ text: 'a' }] }] }],
    ['the last word of the model', { contents: [...contents, { role: 'model', parts: [{ text: 'a' }] }] }],
    ['an empty text', { contents: [...contents, { parts: [{ text: '' }] }] }],
    ['a call that begins', { contents: [called, responded] }],
    [
      'a call behind words of the model',
      { contents: [...contents, { role: 'model', parts: [{ text: 'a' }] }, called, responded] },
    ],
    ['a call without its response', { contents: [...contents, called, ...contents] }],
    ['a response without its call', { contents: [...contents, responded] }],
    [
      'two responses to a call',
      { contents: [...contents, called, { parts: [...responded.parts, ...responded.parts] }] },
    ],
    ['a tool that is none', { contents, tools: [{}] }],
    ['a function declared twice', { contents, tools: declaring('f', 'f') }],
    ['a choice of no function', { contents, toolConfig: choosing() }],
    ['a choice of one that is not declared', { contents, tools: declaring('f'), toolConfig: choosing('g') }],
    ['a field it does not know', { contents, temperature: 1 }],
    ['one deep inside', { contents, generationConfig: { thinkingConfig: { budget: 1 } } }],
    ['a function without description', { contents, tools: [{ functionDeclarations: [{ name: 'f' }] }] }],
    [
      'types of JSON Schema in a Schema',
      { contents, generationConfig: { responseSchema: { type: 'object' } } },
    ],
    [
      'a schema without its type of media',
      { contents, generationConfig: { responseSchema: { type: 'OBJECT' } } },
    ],
    [
      'what the cached content holds',
      { contents, cachedContent: 'cachedContents/a', systemInstruction: contents[0] },
    ],
    [
      'bytes that are no base64',
      { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: '#' } }] }] },
    ],
  ])("refuses %s in the vendor's form", async (_what, body) => {
    const answer = await post(body);

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
    expect(server.received).toEqual([]);
    expect(server.refused).toHaveLength(1);
  });

  it('refuses another key, another model, another address', async () => {
    expect(await post({ contents }, { key: 'other' })).toMatchObject({ status: 400 });
    expect(await post({ contents }, { model: 'gemini-0' })).toMatchObject({ status: 404 });
    expect(await post({ contents }, { method: 'say' })).toMatchObject({ status: 404 });
  });

  async function post(
    body: unknown,
    { key = server.apiKey, model = MODEL, method = 'generateContent' } = {},
  ) {
    const response = await fetch(`${server.baseUrl}/v1beta/models/${model}:${method}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body) ?? '',
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: answer };
  }
});
