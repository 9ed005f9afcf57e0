import { readFileSync } from 'node:fs';
import { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Content } from '@skein/contracts';
import { type GenerateContentConfig, LLMRegistry, type LlmResponse } from '@skein/engine';
import { aRequest, type Behaviour, collect, createAnthropicDialect, ProviderServer } from '@skein/testing';
import { configureModels } from '../registry/configure-models';
import { cameFrom } from '../request/part-origin';
import { AnthropicLlm, type AnthropicLlmParams } from './anthropic-llm.model';

const MODEL = 'claude-opus-5-5';
const QUESTION: Content = { role: 'user', parts: [{ text: 'hi' }] };

describe('AnthropicLlm', () => {
  let server: ProviderServer;

  beforeEach(async () => {
    server = await ProviderServer.start(createAnthropicDialect(), MODEL);
    configureModels({ apiKeys: { anthropic: server.apiKey }, baseUrls: { anthropic: server.baseUrl } });
  });
  afterEach(async () => {
    configureModels({});
    await server.stop();
  });

  it('is found by name, and asks with the key it was configured with, in this version of the API', async () => {
    server.queue({ says: { parts: [{ text: 'Hello.' }] } });

    const answers = await collect(
      LLMRegistry.newLlm(MODEL).generateContentAsync(aRequest({ model: MODEL, contents: [QUESTION] })),
    );

    expect(answers).toMatchObject([{ content: { parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }]);
    const [request] = server.received;
    expect(request).toMatchObject({
      path: '/v1/messages',
      headers: { authorization: `Bearer ${server.apiKey}`, 'anthropic-version': '2026-10-21' },
      body: { model: MODEL, max_tokens: 8_192, stream: false },
    });
    expect(Object.keys(request?.headers ?? {})).not.toContain('traceparent');
  });

  it('says which variable to set when there is no key', async () => {
    configureModels({});

    await expect(ask({})).rejects.toMatchObject({
      code: 'model.no-key',
      message: expect.stringContaining('set ANTHROPIC_API_KEY'),
    });
  });

  it('reads a call as the vendor streams it', async () => {
    server.queue(streams('tool-use.sse'));
    const { shown, whole } = await ask({ stream: true });

    expect(shown.map(({ content }) => content?.parts?.[0])).toEqual([
      { text: 'Okay' },
      { text: ", let's check the weather:" },
      expect.objectContaining({
        functionCall: { id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', name: 'get_weather', willContinue: true },
      }),
      expect.objectContaining({ functionCall: expect.objectContaining({ name: 'get_weather' }) }),
    ]);
    expect(whole).toMatchObject({
      content: {
        parts: [
          { text: "Okay, let's check the weather:" },
          { functionCall: { args: { location: 'San Francisco, CA', unit: 'fahrenheit' } } },
        ],
      },
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: 472, candidatesTokenCount: 89, totalTokenCount: 561 },
    });
  });

  it('reads thoughts as the vendor streams them, with what is told of them', async () => {
    server.queue(streams('thinking.sse'));
    const { whole } = await ask({ stream: true });

    expect(whole.usageMetadata).toEqual({
      promptTokenCount: 120,
      cachedContentTokenCount: 100,
      cacheCreationTokenCount: 8,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 30,
      totalTokenCount: 160,
    });
    expect(whole.content?.parts).toEqual([
      {
        text: 'I need to find the GCD of 1071 and 462.\n147 = 7 × 21',
        thought: true,
        thoughtSignature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds',
        ...cameFrom({ provider: 'anthropic' }),
      },
      {
        thought: true,
        thoughtSignature: expect.stringMatching(/^EmwKAhgB/),
        partMetadata: { skein: { provider: 'anthropic', isRedacted: true } },
      },
      { text: 'The greatest common divisor is **21**.' },
    ]);
  });

  it('asks again when the stream tells of overload before anything was shown, and then gives up', async () => {
    server.queue(streams('overloaded.sse'), streams('tool-use.sse'));
    const params = { maxAttempts: 2, firstDelayMs: 1 };

    expect((await ask({ stream: true, params })).whole.finishReason).toBe('STOP');
    server.queue(streams('overloaded.sse'), streams('overloaded.sse'));
    await expect(ask({ stream: true, params })).rejects.toMatchObject({
      name: 'ServerError',
      message: expect.stringContaining('Overloaded'),
    });
    expect(server.received).toHaveLength(4);
  });

  it('leaves retries to the engine', async () => {
    server.queue({ refuses: 'failed' });

    await expect(ask({ params: { maxAttempts: 1 } })).rejects.toMatchObject({ name: 'ServerError' });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    [
      'a request that is too large',
      413,
      '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
      /exceed/,
    ],
    ['a page of a proxy', 502, '<html>Bad gateway</html>', /Bad gateway/],
    ['a page in the place of an answer', 200, '<html>Login</html>', /\w+ \w+/],
  ])('tells clearly of %s', async (_what, status, body, message) => {
    server.queue(replies(status, body));

    await expect(ask({ params: { maxAttempts: 1 } })).rejects.toThrow(message);
  });

  it('thinks by a budget with a model that takes one, and over its calls', async () => {
    const model = 'claude-haiku-4-5-20251001';
    const old = await ProviderServer.start(createAnthropicDialect(), model);
    const params = { model, baseUrl: old.baseUrl };
    const config = { thinkingConfig: { thinkingBudget: 2_048 } };
    const call = { id: 'c1', name: 'f', args: {} };
    old.queue(
      { says: { parts: [{ thought: 'Hm.' }, { call }] } },
      { says: { parts: [{ text: 'Done.' }] } },
      { says: { parts: [{ text: 'Done.' }] } },
    );
    const answer: Content = { role: 'user', parts: [{ functionResponse: { ...call, response: {} } }] };

    const { whole } = await ask({ params, config });
    await ask({ params, config, contents: [QUESTION, whole.content ?? {}, answer] });
    // Of another model, which thought nothing.
    await ask({
      params,
      config,
      contents: [QUESTION, { role: 'model', parts: [{ functionCall: call }] }, answer],
    });

    expect(old.heard.map(({ thinks }) => thinks)).toEqual([true, true, false]);
    expect(old.received[0]?.body).toMatchObject({ thinking: { budget_tokens: 2_048 }, max_tokens: 10_240 });
    await old.stop();
  });

  it('asks for what is cached', async () => {
    server.queue({ says: { parts: [{ text: 'Hello.' }] } });
    await ask({ params: { cache: '1h' }, config: { systemInstruction: 'Be kind.' } });

    expect(server.received[0]?.body).toMatchObject({
      cache_control: { type: 'ephemeral', ttl: '1h' },
      system: [{ text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    });
  });

  interface Question {
    readonly contents?: Content[];
    readonly config?: GenerateContentConfig;
    readonly stream?: boolean;
    readonly params?: Partial<AnthropicLlmParams>;
  }

  async function ask({ contents = [QUESTION], config = {}, stream = false, params = {} }: Question) {
    const llm = new AnthropicLlm({ model: MODEL, ...params });
    const request = aRequest({ model: llm.model, contents, config });
    const answers: LlmResponse[] = await collect(llm.generateContentAsync(request, stream));
    return { shown: answers.slice(0, -1), whole: answers.at(-1) ?? {} };
  }
});

/** A stream as the vendor's reference shows it: https://platform.claude.com/docs/en/build-with-claude/streaming */
function streams(fixture: string): Behaviour {
  return replies(200, readFileSync(join(__dirname, '__fixtures__', fixture), 'utf8'), 'text/event-stream');
}

function replies(status: number, body: string, type = 'text/html'): Behaviour {
  return {
    replies: (response: ServerResponse): void => {
      response.writeHead(status, { 'content-type': type }).end(body);
    },
  };
}
