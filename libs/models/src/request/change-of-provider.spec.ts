import { type Content } from '@skein/contracts';
import { type BaseLlm } from '@skein/engine';
import {
  aRequest,
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

interface Provider {
  readonly model: string;
  readonly dialect: () => ProviderDialect;
  readonly make: (params: ProviderLlmParams) => BaseLlm;
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  Gemini: { model: 'gemini-2.5-flash', dialect: () => geminiDialect, make: (params) => new Gemini(params) },
  Claude: {
    model: 'claude-sonnet-5',
    dialect: createAnthropicDialect,
    make: (params) => new AnthropicLlm(params),
  },
  "a server of one's own": {
    model: 'qwen3:8b',
    dialect: () => openaiCompatibleDialect,
    make: (params) => new OpenAILlm({ ...params, model: `openai/${params.model}` }),
  },
};
const NAMES = Object.keys(PROVIDERS);
const PAIRS = NAMES.flatMap((from) => NAMES.filter((to) => to !== from).map((to) => [from, to]));

const question: Content = { role: 'user', parts: [{ text: 'hi' }] };
const answered: Content = {
  role: 'user',
  parts: [{ functionResponse: { id: 'c1', name: 'f', response: { result: 'b' } } }],
};
const SIGNATURE = 'c2lnbmVkIGJ5IG9uZQ==';

describe.each([false, true])('a history of another provider, stream: %s', (stream) => {
  it.each(PAIRS)(
    'of %s is taken by %s, without thoughts and signatures, and back again',
    async (from, to) => {
      const [first, second] = [await start(from, stream), await start(to, stream)];
      const thought = { thought: 'Let me see.', signature: SIGNATURE };
      const call = { id: 'c1', name: 'f', args: { q: 'a' } };
      const said = await first.answer([question], thought, { call });
      const rest = await second.answer([question, said, answered], { text: 'Well.' });

      expect(second.asked()).toMatchObject([{}, { role: 'model', parts: [{ call: { name: 'f' } }] }, {}]);
      expect(second.body()).not.toMatch(/Let me see|c2lnbmVk|skein/);

      // The one whose thoughts they are has them back.
      await first.answer([question, said, answered, rest, question], { text: 'Fine.' });
      if (first.signs) expect(first.asked()[1]?.parts).toEqual([thought, { call }]);
      expect(first.body()).not.toContain('skein');
      await Promise.all([first.stop(), second.stop()]);
    },
  );
});

async function start(name = '', stream: boolean) {
  const provider = PROVIDERS[name];
  if (!provider) throw new Error(`No provider "${name}".`);
  const dialect = provider.dialect();
  const server = await ProviderServer.start(dialect, provider.model);
  const { model, apiKey, baseUrl } = server;
  const llm = provider.make({ model, apiKey, baseUrl, maxAttempts: 1 });
  return {
    signs: dialect.thoughts === 'signed',
    stop: () => server.stop(),
    asked: () => server.heard.at(-1)?.turns ?? [],
    body: () => JSON.stringify(server.received.at(-1)?.body),
    answer: async (contents: Content[], ...parts: Parameters<typeof says>) => {
      server.queue(says(...parts));
      const answers = await collect(
        llm.generateContentAsync(aRequest({ model: llm.model, contents }), stream),
      );
      expect(server.refused).toEqual([]);
      return answers.at(-1)?.content ?? {};
    },
  };
}

function says(...parts: Parameters<ProviderDialect['whole']>[0]['parts'][number][]) {
  return { says: { parts } };
}
