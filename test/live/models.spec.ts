import { type Part } from '@skein/contracts';
import { FunctionTool, type GenerateContentConfig, LlmAgent, LLMRegistry } from '@skein/engine';
import { configureModels, modelSettingsFrom } from '@skein/models';
import { aRequest, collect, runTurn } from '@skein/testing';
import { providerEnvironment } from '@skein/platform';
import { z } from 'zod';
import { hasKey, liveProviders, whoIsAsked } from './live-providers';

/** A red square of 8 by 8. */
const RED_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC';
const environment = providerEnvironment();
const providers = liveProviders(process.env);

// Real models take their time, and their servers are asked again when they are busy.
jest.setTimeout(180_000);

const settings = () => modelSettingsFrom(environment);

beforeAll(() => configureModels(settings()));
afterAll(() => configureModels({}));

it('has a key of one provider at least', () => {
  if (!providers.some((provider) => hasKey(provider, environment)))
    throw new Error(whoIsAsked(providers, environment));
});

// Not by console.log, which tells where it stands; this is for the person who reads the result.
afterAll(() => {
  process.stderr.write(`\n${whoIsAsked(providers, environment)}\n`);
});

for (const provider of providers) {
  const { name, keys, model, thinkingConfig } = provider;
  const describeIt = hasKey(provider, environment) ? describe : describe.skip;

  describeIt(`${name}, ${model} (${keys.join(' or ')})`, () => {
    it.each([false, true])('says what it is asked to, and counts it, stream: %s', async (stream) => {
      const answers = await ask(['Say the word "pong" and nothing else.'], {}, stream);
      const { content, finishReason, usageMetadata, modelVersion } = answers.at(-1) ?? {};

      expect(textOf(content?.parts)).toMatch(/pong/i);
      expect(finishReason).toBe('STOP');
      expect(usageMetadata?.promptTokenCount).toBeGreaterThan(0);
      expect(modelVersion).toBeTruthy();
      if (stream) expect(answers.length).toBeGreaterThan(1);
    });

    it.each(['none', 'sse'] as const)('calls tools and goes on, streamingMode: %s', async (streamingMode) => {
      const asked: unknown[] = [];
      const weather = new FunctionTool({
        name: 'weather',
        description: 'Tells the weather of one city.',
        parameters: z.object({ city: z.string() }),
        execute: ({ city }) => {
          asked.push(city);
          return { celsius: city === 'Paris' ? 31 : 17 };
        },
      });
      const instruction = 'Ask the tool about every city, in one go. Then name the warmer one.';
      const agent = new LlmAgent({ name: 'desk', model, tools: [weather], instruction });
      const { events, error } = await runTurn(agent, {
        said: 'Where is it warmer, in Paris or in Oslo?',
        runConfig: { streamingMode },
      });

      expect(error).toBeUndefined();
      expect(new Set(asked)).toEqual(new Set(['Paris', 'Oslo']));
      expect(textOf(events.at(-1)?.content?.parts)).toContain('Paris');
    });

    it('answers in a schema', async () => {
      const properties = { city: { type: 'STRING' }, country: { type: 'STRING' } };
      const responseSchema = { type: 'OBJECT', properties, required: ['city', 'country'] };
      const config = { responseMimeType: 'application/json', responseSchema };
      const answers = await ask(['Which city has the Eiffel tower?'], config);

      expect(JSON.parse(textOf(answers.at(-1)?.content?.parts))).toMatchObject({ city: 'Paris' });
    });

    it('sees an image', async () => {
      const image = { inlineData: { mimeType: 'image/png', data: RED_PNG } };
      const answers = await ask([image, 'Which colour is this? One word.']);

      expect(textOf(answers.at(-1)?.content?.parts)).toMatch(/red/i);
    });

    it('stops at the limit of tokens', async () => {
      const config = { maxOutputTokens: 64 };
      const answers = await ask(['Count from one to five hundred in words.'], config);

      expect(answers.at(-1)?.finishReason).toBe('MAX_TOKENS');
    });

    if (thinkingConfig)
      it('thinks, and goes on with its signed thoughts', async () => {
        const config = { thinkingConfig, maxOutputTokens: 4096 };
        const question = { role: 'user', parts: [{ text: 'How many r are in "strawberry raspberry"?' }] };
        const llm = LLMRegistry.newLlm(model);
        const first = aRequest({ model, config, contents: [question] });
        const [{ content = {} } = {}] = await collect(llm.generateContentAsync(first));
        const again = { role: 'user', parts: [{ text: 'Say the number alone.' }] };
        const second = aRequest({ model, config, contents: [question, content, again] });
        const answers = await collect(llm.generateContentAsync(second));

        expect(textOf(answers.at(-1)?.content?.parts)).toMatch(/\d/);
      });

    it('tells of a wrong key, and not the key', async () => {
      const wrong = 'wrong-key-0123456789-abcdef';
      const apiKeys = { gemini: wrong, anthropic: wrong, openai: wrong };
      configureModels({ ...settings(), apiKeys });
      const asking = ask(['hi']).finally(() => configureModels(settings()));

      await expect(asking).rejects.toMatchObject({ name: 'ClientError' });
      await expect(asking).rejects.not.toThrow(wrong);
    });

    async function ask(
      parts: readonly (string | Part)[],
      config: GenerateContentConfig = {},
      stream = false,
    ) {
      const said = parts.map((part) => (typeof part === 'string' ? { text: part } : part));
      const request = aRequest({ model, config, contents: [{ role: 'user', parts: said }] });
      return collect(LLMRegistry.newLlm(model).generateContentAsync(request, stream));
    }
  });
}

function textOf(parts: readonly Part[] = []): string {
  return parts.map(({ text = '', thought }) => (thought ? '' : text)).join('');
}
