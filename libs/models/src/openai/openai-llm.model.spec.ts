import { type ServerResponse } from 'node:http';
import { LLMRegistry, type LlmRequest, type LlmResponse } from '@skein/engine';
import {
  type Behaviour,
  collect,
  openaiCompatibleDialect,
  openaiDialect,
  ProviderServer,
  saying,
} from '@skein/testing';
import { configureModels } from '../registry/configure-models';
import { litellmStream, ollamaStream, openaiStream, vllmStream } from './__fixtures__/recorded-streams';
import { OpenAILlm } from './openai-llm.model';

const MODEL = 'gpt-4.1-mini';

describe('OpenAILlm', () => {
  let server: ProviderServer;

  beforeEach(async () => {
    server = await ProviderServer.start(openaiDialect, MODEL);
    configureModels({ apiKeys: { openai: server.apiKey }, baseUrls: { openai: server.baseUrl } });
  });
  afterEach(async () => {
    configureModels({});
    await server.stop();
  });

  it.each([MODEL, 'o3', 'o4-mini', 'chatgpt-4o-latest', 'ft:gpt-4o:org::1', 'openai/llama3.2:1b'])(
    'is found by the name %s',
    (name) => {
      expect(LLMRegistry.resolve(name)).toBe(OpenAILlm);
    },
  );

  it('asks with the key it was configured with, and with nothing else from its surroundings', async () => {
    const surroundings = { OPENAI_ORG_ID: 'org-1', OPENAI_PROJECT_ID: 'proj-1', OPENAI_LOG: 'debug' };
    const environment = jest.replaceProperty(process, 'env', { ...surroundings });
    const log = jest.spyOn(console, 'debug').mockReturnValue();
    server.queue({ says: { parts: [{ text: 'Hello.' }] } });

    const answers = await ask(LLMRegistry.newLlm(`openai/${MODEL}`));
    environment.restore();

    expect(answers).toMatchObject([{ content: { parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }]);
    expect(server.received[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${server.apiKey}` },
      body: { model: MODEL },
    });
    expect(JSON.stringify(server.received[0]?.headers)).not.toMatch(/org-1|proj-1/);
    expect(log).not.toHaveBeenCalled();
  });

  it('asks for what is to be cached, and tells what came from there', async () => {
    const says = { parts: [{ text: 'Hello.' }], usage: { input: 120, output: 3, cached: 100 } };
    server.queue({ says }, { says }, { says });

    const cached = await ask(new OpenAILlm({ model: MODEL, cacheKey: 'desk', cacheRetention: '24h' }));
    await ask(new OpenAILlm({ model: MODEL, cacheRetention: 'in_memory' }), true);
    await ask(new OpenAILlm({ model: MODEL }));

    expect(server.received.map(({ body }) => body)).toMatchObject([
      { prompt_cache_key: 'desk', prompt_cache_retention: '24h' },
      { prompt_cache_retention: 'in_memory' },
      {},
    ]);
    expect(JSON.stringify(server.received[2]?.body)).not.toContain('prompt_cache');
    expect(cached.at(-1)?.usageMetadata).toMatchObject({
      promptTokenCount: 120,
      cachedContentTokenCount: 100,
    });
  });

  it("needs a key for OpenAI's own address alone", async () => {
    configureModels({});
    const keyless = await ProviderServer.start(openaiCompatibleDialect, 'qwen3:8b', '');
    keyless.queue({ says: { parts: [{ text: 'Hello.' }] } });

    await expect(ask(new OpenAILlm({ model: MODEL }))).rejects.toMatchObject({
      code: 'model.no-key',
      message: expect.stringContaining('set OPENAI_API_KEY'),
    });
    const { baseUrl } = keyless;
    expect(await ask(new OpenAILlm({ model: 'openai/qwen3:8b', baseUrl }))).toHaveLength(1);
    await keyless.stop();
  });

  it.each([
    ['OpenAI', openaiStream, 2],
    ['Ollama', ollamaStream, 2],
    ['vLLM', vllmStream, 1],
    ['LiteLLM', litellmStream, 1],
  ])('reads a stream as %s sends it', async (_who, chunks, calls) => {
    server.queue(streams([...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']));

    const parts = (await ask(new OpenAILlm({ model: MODEL }), true)).at(-1)?.content?.parts ?? [];

    expect(parts.filter(({ functionCall }) => functionCall?.name === 'f')).toHaveLength(calls);
  });

  it('takes an answer for whole that the server calls done, also where it does not say why it ended', async () => {
    const said = (delta: object) => JSON.stringify({ choices: [{ index: 0, delta }] });
    const call = { index: 0, id: 'c', function: { name: 'f', arguments: '{}' } };
    server.queue(
      streams([said({ content: 'On' }), said({ content: 'e. [DONE]' }), '[DONE]']),
      streams([said({ tool_calls: [call] }), '[DONE]']),
      streams(['[DONE]']),
      streams([said({ content: 'data: [DONE]' })]),
    );
    const llm = new OpenAILlm({ model: MODEL, maxAttempts: 1 });

    expect((await ask(llm, true)).at(-1)).toEqual({
      content: { role: 'model', parts: [{ text: 'One. [DONE]' }] },
    });
    expect((await ask(llm, true)).at(-1)?.content?.parts).toEqual([
      { functionCall: { id: 'c', name: 'f', args: {} } },
    ]);
    expect((await ask(llm, true)).at(-1)).toMatchObject({ errorCode: 'UNKNOWN_ERROR' });
    await expect(ask(llm, true)).rejects.toMatchObject({ code: 'model.truncated' });
  });

  it('waits for nothing behind what the server calls done, though it counts no tokens and stays', async () => {
    const said = JSON.stringify({
      choices: [{ index: 0, delta: { content: 'One.' }, finish_reason: 'stop' }],
    });
    server.queue({
      replies: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${said}\n\ndata: [DONE]\n\n`);
      },
    });
    const llm = new OpenAILlm({ model: MODEL, maxAttempts: 1, idleTimeoutMs: 1_000 });

    expect((await ask(llm, true)).at(-1)).toEqual({
      content: { role: 'model', parts: [{ text: 'One.' }] },
      finishReason: 'STOP',
    });
    expect(await server.received[0]?.ended).toBe('left');
  });

  it('knows a tool by its own name, also where a stream has the name in pieces', async () => {
    const called = (index: number, name: string, text = '') => ({
      index,
      function: { name, arguments: text },
    });
    const chunks = [called(0, 'files_'), called(0, 'read'), called(0, '', '{}')];
    server.queue(
      streams([
        ...chunks.map((call) => JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })),
        JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
      ]),
    );
    const request = saying('hi');
    request.config.tools = [{ functionDeclarations: [{ name: 'files.read', description: 'Reads.' }] }];

    const answers = await ask(new OpenAILlm({ model: MODEL }), true, request);

    expect(answers.at(-1)?.content?.parts).toEqual([{ functionCall: { name: 'files.read', args: {} } }]);
  });

  it.each([
    ['LiteLLM', '{"error":{"message":"litellm.InternalServerError: gone","code":"500"}}', 'ServerError'],
    ['older vLLM', '{"object":"error","message":"gone","type":"BadRequestError","code":400}', 'ClientError'],
  ])('throws what %s says of a failure within its stream', async (_who, failure, name) => {
    const begun = JSON.stringify({ choices: [{ index: 0, delta: { content: 'On' } }] });
    server.queue(streams([begun, failure]));

    await expect(ask(new OpenAILlm({ model: MODEL, maxAttempts: 1 }), true)).rejects.toMatchObject({
      name,
      message: expect.stringContaining('gone'),
    });
  });

  it.each([true, false])(
    'is not taken in by a page in the place of an answer, stream: %s',
    async (stream) => {
      const log = jest.spyOn(console, 'error').mockReturnValue();
      server.queue({
        replies: (response) =>
          response.writeHead(200, { 'content-type': 'text/html' }).end('<html>A proxy.</html>'),
      });

      await expect(ask(new OpenAILlm({ model: MODEL, maxAttempts: 1 }), stream)).rejects.toMatchObject({
        code: 'model.bad-answer',
        message: expect.stringMatching(/answer could not be read: \w+/),
      });
      expect(log).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['wrong-key', 'wrong-key'],
    ['unknown-model', 'unknown-model'],
    ['too-long', 'context-too-long'],
    ['rate-limited', 'rate-limited'],
    ['overloaded', 'overloaded'],
  ] as const)('tells of %s why it failed', async (refuses, reason) => {
    server.queue({ refuses });

    await expect(ask(new OpenAILlm({ model: MODEL, maxAttempts: 1 }))).rejects.toMatchObject({
      details: { reason },
    });
  });
});

function streams(frames: readonly string[]): Behaviour {
  return {
    replies: (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(frames.map((frame) => `data: ${frame}\n\n`).join(''));
    },
  };
}

async function ask(
  llm: { readonly model: string; generateContentAsync: OpenAILlm['generateContentAsync'] },
  stream = false,
  request: LlmRequest = saying('hi'),
): Promise<LlmResponse[]> {
  return collect(llm.generateContentAsync({ ...request, model: llm.model }, stream));
}
