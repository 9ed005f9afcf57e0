import { type Part } from '@skein/contracts';
import { type BaseLlm, InMemoryRunner, LlmAgent } from '@skein/engine';
import {
  collect,
  createAnthropicDialect,
  geminiDialect,
  openaiCompatibleDialect,
  type ProviderDialect,
  ProviderServer,
} from '@skein/testing';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini } from '../gemini/gemini.model';
import { OpenAILlm } from '../openai/openai-llm.model';
import { type ProviderLlmParams } from '../provider/provider-llm';

type Make = (params: ProviderLlmParams) => BaseLlm;

const font: Part = { inlineData: { mimeType: 'font/woff2', data: 'QUJD' } };

let server: ProviderServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

it.each<[string, ProviderDialect, Make]>([
  ['claude-sonnet-5', createAnthropicDialect(), (params) => new AnthropicLlm(params)],
  ['qwen3:8b', openaiCompatibleDialect, (params) => new OpenAILlm(params)],
  ['gemini-2.5-flash', geminiDialect, (params) => new Gemini(params)],
])('a part that %s does not take is an error of its own turn alone', async (name, dialect, make) => {
  server = await ProviderServer.start(dialect, name);
  const { model, apiKey, baseUrl } = server;
  const agent = new LlmAgent({ name: 'root', model: make({ model, apiKey, baseUrl, maxAttempts: 1 }) });
  const runner = new InMemoryRunner({ agent });
  const key = { appName: runner.appName, userId: 'u' };
  const { id: sessionId } = await runner.sessionService.createSession(key);
  const say = (...parts: Part[]) =>
    collect(runner.runAsync({ ...key, sessionId, newMessage: { role: 'user', parts } }));

  await expect(say({ text: 'Look.' }, font)).rejects.toMatchObject({ code: 'model.unsupported-part' });
  server.queue({ says: { parts: [{ text: 'Well.' }] } });
  expect(await say({ text: 'Never mind.' })).toMatchObject([{ content: { parts: [{ text: 'Well.' }] } }]);

  expect([server.received.length, server.refused]).toEqual([1, []]);
  expect(JSON.stringify(server.received[0]?.body)).toMatch(/Look\..*font\/woff2.*Never mind\./);
});
