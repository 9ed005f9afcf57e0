import {
  aRequest,
  type Behaviour,
  collect,
  createAnthropicDialect,
  geminiDialect,
  ProviderServer,
} from '@skein/testing';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini, type GeminiParams } from '../gemini/gemini.model';
import { RoutedLlm } from './routed-llm.model';

const TEXT = { parts: [{ text: 'I am the main one.' }] };
const SPARE = 'I am the spare.';

let main: ProviderServer;
let spare: ProviderServer;

beforeEach(async () => {
  [main, spare] = await Promise.all([
    ProviderServer.start(geminiDialect, 'gemini-2.5-flash'),
    ProviderServer.start(createAnthropicDialect(), 'claude-sonnet-5'),
  ]);
});
afterEach(async () => {
  await Promise.all([main.stop(), spare.stop()]);
});

/** As the page on models has it: in order, whatever failed. */
function inOrder(settings: Partial<GeminiParams>): RoutedLlm {
  const once = { maxAttempts: 1 };
  const { model, baseUrl, apiKey } = main;
  return new RoutedLlm({
    models: {
      main: new Gemini({ ...once, model, baseUrl, apiKey, ...settings }),
      spare: new AnthropicLlm({ ...once, model: spare.model, baseUrl: spare.baseUrl, apiKey: spare.apiKey }),
    },
    router: (models, _request, failure) => Object.keys(models).find((key) => !failure?.failedKeys.has(key)),
  });
}

async function ask(stream: boolean, settings: Partial<GeminiParams> = {}) {
  const contents = [{ role: 'user', parts: [{ text: 'Who are you?' }] }];
  return (await collect(inOrder(settings).generateContentAsync(aRequest({ contents }), stream))).at(-1);
}

describe.each([false, true])('a RoutedLlm whose first model fails, stream: %s', (stream) => {
  it.each<[string, Behaviour]>([
    ['does not take its key', { refuses: 'wrong-key' }],
    ['is not there', { refuses: 'unknown-model' }],
    ['takes no request so long', { refuses: 'too-long' }],
    ['takes no such request', { refuses: 'bad-request' }],
    ['is busy', { refuses: 'rate-limited' }],
    ['is overloaded', { refuses: 'overloaded' }],
    ['fails', { refuses: 'failed' }],
    ['sends a page', { replies: (response) => response.writeHead(200).end('<html>A proxy.</html>') }],
  ])('goes to the next one when it %s', async (_how, behaviour) => {
    main.queue(behaviour);
    spare.queue({ says: { parts: [{ text: SPARE }] } });

    expect((await ask(stream))?.content?.parts).toMatchObject([{ text: SPARE }]);
    expect([main.left, spare.left]).toEqual([0, 0]);
  });

  it('goes to the next one when it is silent', async () => {
    main.queue({ hangs: true });
    spare.queue({ says: { parts: [{ text: SPARE }] } });

    // An answer that is not streamed is bounded by the whole call's time.
    const answer = await ask(stream, { connectTimeoutMs: 200, totalTimeoutMs: 200 });

    expect(answer?.content?.parts).toMatchObject([{ text: SPARE }]);
  });

  it('goes to the next one when it has no key', async () => {
    spare.queue({ says: { parts: [{ text: SPARE }] } });

    expect((await ask(stream, { apiKey: '' }))?.content?.parts).toMatchObject([{ text: SPARE }]);
    expect(main.received).toEqual([]);
  });

  it('stays with an answer that the provider takes back', async () => {
    main.queue({ says: { parts: [], stop: 'safety' } });

    expect(await ask(stream)).toMatchObject({ errorCode: 'SAFETY' });
    expect(spare.received).toEqual([]);
  });

  it(`${stream ? 'stays with' : 'leaves'} an answer that breaks off in its middle`, async () => {
    main.queue({ says: TEXT, breaks: { at: 'begun', how: 'cut' } });
    spare.queue({ says: { parts: [{ text: SPARE }] } });

    const asked = ask(stream);

    if (stream) await expect(asked).rejects.toMatchObject({ name: 'ModelError' });
    else expect((await asked)?.content?.parts).toMatchObject([{ text: SPARE }]);
  });

  it('tells the failure of the last one when all fail', async () => {
    main.queue({ refuses: 'wrong-key', message: 'Not the main one.' });
    spare.queue({ refuses: 'failed', message: 'Not the spare either.' });

    await expect(ask(stream)).rejects.toMatchObject({
      name: 'ServerError',
      message: expect.stringContaining('Not the spare either.'),
    });
  });
});
