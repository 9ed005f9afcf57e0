import { collect, geminiDialect, ProviderServer, saying } from '@skein/testing';
import { Gemini, type GeminiParams } from '../gemini/gemini.model';

const MODEL = 'gemini-2.5-flash';
const KEY = 'the-key-that-the-server-knows';

describe('two models of one name at one address', () => {
  let server: ProviderServer;
  beforeEach(async () => (server = await ProviderServer.start(geminiDialect, MODEL, KEY)));
  afterEach(() => server.stop());

  const ask = async (params: GeminiParams) => {
    const gemini = new Gemini({
      model: MODEL,
      baseUrl: server.baseUrl,
      apiKey: KEY,
      maxAttempts: 1,
      ...params,
    });
    return collect(gemini.generateContentAsync({ ...saying('Hello.'), model: MODEL }));
  };
  const refusal = { refuses: 'rate-limited', headers: { 'retry-after': '600' } } as const;

  it('are held back by the same refusal where they have the same key', async () => {
    server.queue(refusal);

    await expect(ask({})).rejects.toMatchObject({ details: { reason: 'rate-limited' } });

    // Whatever else it sends along.
    await expect(ask({ headers: { 'x-request': '2' } })).rejects.toMatchObject({ code: 'model.held-back' });
  });

  it.each<[what: string, other: GeminiParams]>([
    ['key', { apiKey: 'the-key-of-somebody-else' }],
    ['key in a header', { headers: { Authorization: 'Bearer another-key' } }],
  ])('do not hold one another back where each has its own %s', async (_what, other) => {
    server.queue(refusal);
    await expect(ask({})).rejects.toMatchObject({ details: { reason: 'rate-limited' } });

    // It was asked: what it says of the other one is its own matter.
    await ask(other).catch((error: unknown) => expect(error).not.toMatchObject({ code: 'model.held-back' }));
    expect(server.received.length + server.refused.length).toBe(2);
  });
});
