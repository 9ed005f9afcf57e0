import { type Content } from '@skein/contracts';
import { type GenerateContentConfig, LLMRegistry, type LlmResponse } from '@skein/engine';
import { aRequest, type Behaviour, collect, geminiDialect, ProviderServer } from '@skein/testing';
import { configureModels } from '../registry/configure-models';
import * as answers from './__fixtures__/answers';
import { Gemini } from './gemini.model';

const MODEL = 'gemini-2.5-flash';
const hi: Content = { role: 'user', parts: [{ text: 'hi' }] };

let server: ProviderServer;

beforeEach(async () => {
  server = await ProviderServer.start(geminiDialect, MODEL);
  configureModels({ apiKeys: { gemini: server.apiKey }, baseUrls: { gemini: server.baseUrl } });
});
afterEach(async () => {
  configureModels({});
  await server.stop();
});

describe('Gemini', () => {
  it('is found by name, and asks with the key it was configured with', async () => {
    server.queue({ says: { parts: [{ text: 'Hello.' }] } });

    expect(await whole(LLMRegistry.newLlm(MODEL))).toMatchObject({
      content: { role: 'model', parts: [{ text: 'Hello.' }] },
      finishReason: 'STOP',
      modelVersion: MODEL,
    });
    expect(server.received).toMatchObject([
      {
        path: `/v1beta/models/${MODEL}:generateContent`,
        headers: { 'x-goog-api-key': server.apiKey },
        body: { contents: [hi] },
      },
    ]);
  });

  it('gives chunks as partial answers, then the whole answer (B17)', async () => {
    server.queue({ says: { parts: [{ text: 'One two.' }] } });
    const pieces = await collect(ask(new Gemini(), { stream: true }));

    expect(server.received[0]?.path).toBe(`/v1beta/models/${MODEL}:streamGenerateContent`);
    expect(pieces.map(({ partial, content }) => [partial, content?.parts?.[0]?.text])).toEqual([
      [true, 'On'],
      [true, 'e '],
      [true, 'tw'],
      [true, 'o.'],
      [undefined, 'One two.'],
    ]);
  });

  it('says which variable to set when there is no key', async () => {
    configureModels({});

    await expect(whole(new Gemini())).rejects.toThrow('set GOOGLE_API_KEY or GEMINI_API_KEY');
  });

  it('is told to come again by a header, where the words alone would be those of a spent account', async () => {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    const refusal = { refuses: 'rate-limited', message, headers: { 'retry-after-ms': '5' } } as const;
    server.queue(refusal, refusal);

    await expect(whole(new Gemini({ maxAttempts: 2 }))).rejects.toMatchObject({
      kind: 'unavailable',
      details: { reason: 'rate-limited', status: 429 },
    });
    expect(server.received).toHaveLength(2);
  });

  it('sends the headers it was made with', async () => {
    server.queue({ says: { parts: [{ text: 'Hello.' }] } });
    await whole(new Gemini({ headers: { 'x-team': 'a' } }));

    expect(server.received[0]?.headers).toMatchObject({ 'x-team': 'a', 'x-goog-api-key': server.apiKey });
  });

  it('refuses what it was made with and cannot do', () => {
    expect(() => new Gemini({ useInteractionsApi: true })).toThrow('useInteractionsApi is not supported');
    expect(() => new Gemini({ vertexai: true, location: 'l' })).toThrow('needs a "project"');
    expect(() => new Gemini({ vertexai: true, project: 'p' })).toThrow('needs a "location"');
  });
});

describe.each([false, true])('what Gemini answers, stream: %s', (stream) => {
  it('sends a signature back with the call that it is of', async () => {
    server.queue(replaying(answers.signedCalls), { says: { parts: [{ text: 'Rain.' }] } });
    const { content, usageMetadata } = await whole(new Gemini(), { stream });

    const call = {
      functionCall: { name: 'weather', args: { city: 'Paris' } },
      thoughtSignature: 'CpcHAdHtim9+q4rstcbvQC0ic4x1/vqQ',
    };
    expect(content?.parts?.slice(1)).toEqual([
      call,
      { functionCall: { name: 'weather', args: { city: 'London' } } },
    ]);
    expect(usageMetadata).toMatchObject({ thoughtsTokenCount: 100, totalTokenCount: 146 });

    const responses = [1, 2].map((n) => ({ functionResponse: { name: 'weather', response: { n } } }));
    const said: Content = content ?? {};
    await whole(new Gemini(), { stream, contents: [hi, said, { role: 'user', parts: responses }] });
    expect(server.received[1]?.body).toMatchObject({ contents: [{}, { parts: said.parts }, {}] });
  });

  it('keeps code that the provider ran, and sends it back', async () => {
    server.queue(replaying(answers.codeExecution), { says: { parts: [{ text: 'Yes.' }] } });
    const config = { tools: [{ codeExecution: {} }] } as unknown as GenerateContentConfig;
    const { content = {} } = await whole(new Gemini(), { stream, config });

    expect(content.parts).toEqual(answers.codeExecution[0]?.candidates[0]?.content.parts);
    await whole(new Gemini(), { stream, config, contents: [hi, content, hi] });
    expect(server.received[1]?.body).toMatchObject({ contents: [{}, { parts: content.parts }, {}] });
  });

  it('keeps what an answer is grounded on', async () => {
    server.queue(replaying(answers.grounded));
    const config = { tools: [{ googleSearch: {} }, { urlContext: {} }] } as unknown as GenerateContentConfig;
    const answer = await whole(new Gemini(), { stream, config });

    const { groundingMetadata, urlContextMetadata } = answers.groundedOn;
    expect(answer).toMatchObject({ groundingMetadata, customMetadata: { urlContextMetadata } });
    expect(answer.citationMetadata).toBeDefined();
    expect(server.received[0]?.body).toMatchObject({ tools: [{ googleSearch: {} }, { urlContext: {} }] });
  });

  it.each([
    ['a prompt was blocked', answers.blockedPrompt, 'PROHIBITED_CONTENT'],
    ['a call could not be made', answers.malformedCall, 'MALFORMED_FUNCTION_CALL'],
  ])('tells that %s', async (_what, chunks, errorCode) => {
    server.queue(replaying(chunks));

    expect(await whole(new Gemini(), { stream })).toMatchObject({
      errorCode,
      errorMessage: expect.stringMatching(/\w+ \w+/),
    });
  });

  it.each([
    'SAFETY',
    'RECITATION',
    'LANGUAGE',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'MALFORMED_FUNCTION_CALL',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MAX_TOKENS',
    'OTHER',
    'A_REASON_OF_TOMORROW',
  ])('tells an end that is not a good one as an error, with what was said: %s', async (finishReason) => {
    const content = { role: 'model', parts: [{ text: 'Well, ' }] };
    const end = [{ candidates: [{ content, finishReason }] }, { candidates: [{ finishReason }] }];
    server.queue(...end.map((chunk) => replaying([chunk])));
    const all = [];
    for (const _one of end) all.push(await collect(ask(new Gemini(), { stream })));
    const [spoken, silent] = all.map((pieces) => pieces.at(-1));

    const shared = { finishReason, errorCode: finishReason };
    const errorMessage =
      finishReason === 'MAX_TOKENS'
        ? 'The answer was cut: it reached the limit of tokens.'
        : `The model ended its answer early: ${finishReason}.`;
    expect(spoken).toEqual({ ...shared, errorMessage, content });
    expect(silent).toEqual({ ...shared, errorMessage });
    expect(all.flat().filter(({ partial, errorCode }) => partial && errorCode)).toEqual([]);
  });

  it('tells a prompt that is blocked behind the beginning of an answer', async () => {
    const promptFeedback = { blockReason: 'JAILBREAK' };
    server.queue(replaying([{ candidates: [{ content: { parts: [{ text: 'Well, ' }] } }], promptFeedback }]));

    expect(await whole(new Gemini(), { stream })).toEqual({
      content: { role: 'model', parts: [{ text: 'Well, ' }] },
      errorCode: 'JAILBREAK',
      errorMessage: 'The provider blocked the prompt: JAILBREAK.',
    });
  });

  it('uses content that was cached, and says nothing of what is in it', async () => {
    const usage = { input: 2000, output: 3, cached: 1900 };
    server.queue({ says: { parts: [{ text: 'Yes.' }], usage } });
    const config = { cachedContent: 'cachedContents/abc-1', systemInstruction: 'Be kind.' };
    const { usageMetadata } = await whole(new Gemini(), { stream, config });

    expect(server.received[0]?.body).toMatchObject({ cachedContent: 'cachedContents/abc-1' });
    expect(usageMetadata).toMatchObject({ cachedContentTokenCount: 1900 });
  });
});

it('fails when an error comes in the middle of a stream', async () => {
  const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };
  server.queue(replaying([answers.grounded[0], { error }]));
  const pieces = ask(new Gemini(), { stream: true });

  expect((await pieces.next()).value).toMatchObject({ partial: true });
  await expect(pieces.next()).rejects.toMatchObject({
    name: 'ServerError',
    message: expect.stringContaining('The model is overloaded.'),
  });
});

it("puts a call's streamed arguments together", async () => {
  server.queue(replaying(answers.streamedArguments));
  const pieces = await collect(ask(new Gemini(), { stream: true }));

  expect(pieces.at(-1)?.content?.parts).toEqual([
    { functionCall: { id: 'c1', name: 'book', args: { city: 'New York', nights: 2 } } },
  ]);
  expect(pieces.length).toBeGreaterThan(2);
});

interface Asked {
  readonly contents?: Content[];
  readonly config?: GenerateContentConfig;
  readonly stream?: boolean;
}

type Model = Pick<Gemini, 'generateContentAsync'>;

function ask(model: Model, { contents = [hi], config = {}, stream = false }: Asked = {}) {
  return model.generateContentAsync(aRequest({ model: MODEL, contents, config }), stream);
}

async function whole(model: Model, asked: Asked = {}): Promise<LlmResponse> {
  const answer = (await collect(ask(model, asked))).at(-1);
  expect(server.refused).toEqual([]);
  return answer ?? {};
}

/** The chunks as they are; or, in an answer that is not streamed, the parts of all in the last one. */
function replaying(chunks: readonly unknown[]): Behaviour {
  return {
    replies: (response, isStreamed) => {
      response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
      if (isStreamed) response.end(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''));
      else response.end(JSON.stringify(joined(chunks as readonly Chunk[])));
    },
  };
}

interface Chunk {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly object[] } }[];
}

function joined(chunks: readonly Chunk[]): object {
  const last = chunks.at(-1) ?? {};
  const [candidate] = last.candidates ?? [];
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  if (!candidate || parts.length === 0) return last;
  const said = parts.filter((part) => !('text' in part && part.text === ''));
  return { ...last, candidates: [{ ...candidate, content: { role: 'model', parts: said } }] };
}
