import {
  aRequest,
  collect,
  createAnthropicDialect,
  geminiDialect,
  openaiDialect,
  ProviderServer,
} from '@skein/testing';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini } from '../gemini/gemini.model';
import { OpenAILlm } from '../openai/openai-llm.model';
import { type ProviderLlmParams } from '../provider/provider-llm';

const MODEL = 'm';
const hello = aRequest({ model: MODEL, contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] });
const adapters = {
  Gemini: [geminiDialect, (params: ProviderLlmParams) => new Gemini(params)],
  AnthropicLlm: [createAnthropicDialect(), (params: ProviderLlmParams) => new AnthropicLlm(params)],
  OpenAILlm: [openaiDialect, (params: ProviderLlmParams) => new OpenAILlm(params)],
} as const;

describe('a provider that sends a request on to another host', () => {
  describe.each(Object.entries(adapters))('%s', (_name, [dialect, adapter]) => {
    let server: ProviderServer;
    let other: ProviderServer;

    beforeAll(async () => {
      server = await ProviderServer.start(dialect, MODEL);
      other = await ProviderServer.start(dialect, MODEL);
    });
    afterAll(() => Promise.all([server.stop(), other.stop()]));

    it.each([
      [302, false],
      [307, false],
      [307, true],
    ])(
      'is not followed, since key and conversation would go there: %i, streamed %s',
      async (status, stream) => {
        server.queue({
          replies: (response) => {
            response.writeHead(status, { location: `${other.baseUrl}/there` }).end();
          },
        });
        const { apiKey, baseUrl } = server;
        const model = adapter({ model: MODEL, apiKey, baseUrl });

        const asked = collect(model.generateContentAsync(hello, stream));

        await expect(asked).rejects.toMatchObject({
          name: 'ClientError',
          message: expect.stringMatching(/sends requests on to another address/),
          details: { reason: 'redirected', status },
        });
        expect([other.received, other.refused]).toEqual([[], []]);
      },
    );

    it('is told as one wherever it would lead, also nowhere', async () => {
      server.received.length = 0;
      server.queue({ replies: (response) => response.writeHead(302, { location: 'http://[bad' }).end() });
      const { apiKey, baseUrl } = server;
      const asked = collect(adapter({ model: MODEL, apiKey, baseUrl }).generateContentAsync(hello, true));

      await expect(asked).rejects.toMatchObject({
        message: expect.stringMatching(/another address \(302, an address that is none\)/),
        details: { reason: 'redirected', status: 302 },
      });
      expect(server.received).toHaveLength(1);
    });
  });
});
