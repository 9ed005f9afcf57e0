import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { collect, saying } from '@skein/testing';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini } from '../gemini/gemini.model';
import { OpenAILlm } from '../openai/openai-llm.model';
import { type ProviderLlmParams } from './provider-llm';

const servers: Server[] = [];
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterAll(() => servers.forEach((server) => server.close()));

const adapters = {
  Gemini: (params: ProviderLlmParams) => new Gemini(params),
  AnthropicLlm: (params: ProviderLlmParams) => new AnthropicLlm(params),
  OpenAILlm: (params: ProviderLlmParams) => new OpenAILlm(params),
};

describe('a provider that sends a request on to another host', () => {
  describe.each(Object.entries(adapters))('%s', (_name, adapter) => {
    it.each([
      [302, false],
      [307, false],
      [307, true],
    ])(
      'is not followed, since key and conversation would go there: %i, streamed %s',
      async (status, stream) => {
        const elsewhere: string[] = [];
        const other = await listen((request, response) => {
          elsewhere.push(request.url ?? '');
          response.end('{}');
        });
        const baseUrl = await listen((request, response) => {
          request.resume();
          response.writeHead(status, { location: `${other}/there`, connection: 'close' }).end();
        });
        const model = adapter({ model: 'm', apiKey: 'sk-planted', baseUrl });

        const asked = collect(model.generateContentAsync(saying('Hello.'), stream));

        await expect(asked).rejects.toMatchObject({
          name: 'ClientError',
          message: expect.stringMatching(/sends requests on to another address/),
          details: { reason: 'redirected', status },
        });
        expect(elsewhere).toEqual([]);
      },
    );
  });
});
