import { inspect } from 'node:util';
import {
  collect,
  createAnthropicDialect,
  geminiDialect,
  openaiDialect,
  ProviderServer,
  saying,
} from '@skein/testing';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini } from '../gemini/gemini.model';
import { OpenAILlm } from '../openai/openai-llm.model';
import { type ProviderLlmParams } from '../provider/provider-llm';

const KEY = 'planted-key-0123456789';
const words = `the account of ${KEY} asked https://host/?key=${KEY} with x-api-key: ${KEY}`;

const gemini = (candidate: object, more: object = {}) => ({ candidates: [candidate], ...more });
const claude = (more: object) => ({
  ...{ id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [], stop_sequence: null },
  ...{ usage: { input_tokens: 1, output_tokens: 1 } },
  ...more,
});
const completion = (choice: object) => ({
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: null }, ...choice }],
});

/** Answers in which the provider quotes the key where it says why there is no more. */
const adapters = [
  {
    name: 'Gemini',
    dialect: geminiDialect,
    make: (params: ProviderLlmParams) => new Gemini(params),
    answers: {
      'a blocked prompt': { promptFeedback: { blockReason: 'OTHER', blockReasonMessage: words } },
      'an end for a reason nobody knows': gemini({ finishReason: `FOR_${KEY}` }),
    },
  },
  {
    name: 'AnthropicLlm',
    dialect: createAnthropicDialect(),
    make: (params: ProviderLlmParams) => new AnthropicLlm(params),
    answers: {
      'a refusal': claude({ stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: words } }),
      'an end for a reason nobody knows': claude({ stop_reason: `for ${KEY}` }),
    },
  },
  {
    name: 'OpenAILlm',
    dialect: openaiDialect,
    make: (params: ProviderLlmParams) => new OpenAILlm(params),
    answers: {
      'a refusal': completion({ message: { role: 'assistant', refusal: words }, finish_reason: 'stop' }),
      'an end for a reason nobody knows': completion({ finish_reason: `for ${KEY}` }),
      'an error in the place of an answer': { error: { message: words, code: 400 } },
    },
  },
];

describe.each(adapters)('$name', ({ dialect, make, answers }) => {
  let server: ProviderServer;
  beforeEach(async () => (server = await ProviderServer.start(dialect, 'm', KEY)));
  afterEach(() => server.stop());

  /** All that is told of a request, with every property that is hidden. */
  async function toldOf(): Promise<string> {
    const model = make({ model: 'm', apiKey: KEY, baseUrl: server.baseUrl, maxAttempts: 1 });
    const told: unknown = await collect(model.generateContentAsync({ ...saying('hi'), model: 'm' })).catch(
      (error: unknown) => error,
    );
    expect(server.refused).toEqual([]);
    return inspect(told, { depth: Infinity, showHidden: true, maxStringLength: null });
  }

  it.each(Object.entries(answers))('tells %s without its key', async (_what, answer) => {
    server.queue({
      replies: (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    });

    const told = await toldOf();

    expect(told).toContain('[key]');
    expect(told).not.toContain(KEY);
  });

  it.each(['bad-request', 'wrong-key', 'rate-limited', 'failed'] as const)(
    'tells a failure of the kind %s without its key',
    async (refuses) => {
      server.queue({ refuses, message: words });

      const told = await toldOf();

      expect(told).toContain('[key]');
      expect(told).not.toContain(KEY);
    },
  );
});

describe('a key in a header that an author set', () => {
  it('is not told either', async () => {
    const server = await ProviderServer.start(geminiDialect, 'm', KEY);
    const headers = { Authorization: `Bearer ${KEY}-of-a-proxy` };
    const model = new Gemini({ model: 'm', apiKey: KEY, baseUrl: server.baseUrl, headers, maxAttempts: 1 });
    server.queue({ refuses: 'bad-request', message: `not for ${KEY}-of-a-proxy` });

    const asked = collect(model.generateContentAsync({ ...saying('hi'), model: 'm' }));

    await expect(asked).rejects.toThrow(/not for \[key\]$/);
    await server.stop();
  });
});
