import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { WARNINGS } from '@skein/engine';
import { collect, createAnthropicDialect, geminiDialect, ProviderServer, saying } from '@skein/testing';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini } from '../gemini/gemini.model';
import { type ProviderLlmParams } from '../provider/provider-llm';
import { askQuietly } from './sdk-console';

const KEY = 'planted-key-0123456789';
const GOOGLE = ['GOOGLE_API_KEY', 'GEMINI_API_KEY'];

const warnings: { readonly fields: object }[] = [];
const hear = (warning: unknown): void => void warnings.push(warning as { fields: object });
const console_ = { warn: jest.spyOn(console, 'warn'), error: jest.spyOn(console, 'error') };
const before = { ...process.env };

beforeEach(() => {
  warnings.length = 0;
  for (const written of Object.values(console_)) written.mockReset();
  for (const name of GOOGLE) process.env[name] = 'a-key-of-the-environment';
  subscribe(WARNINGS, hear);
});
afterEach(() => {
  unsubscribe(WARNINGS, hear);
  for (const name of GOOGLE) {
    Reflect.deleteProperty(process.env, name);
    if (before[name] !== undefined) process.env[name] = before[name];
  }
});

it.each([
  {
    what: 'a model that is about to go',
    dialect: createAnthropicDialect(),
    model: 'claude-sonnet-4-5',
    make: (params: ProviderLlmParams) => new AnthropicLlm(params),
    says: /deprecated/,
  },
  {
    what: 'two keys in the environment',
    dialect: geminiDialect,
    model: 'gemini-2.5-flash',
    make: (params: ProviderLlmParams) => new Gemini(params),
    says: /Both GOOGLE_API_KEY and GEMINI_API_KEY/,
  },
])('what an SDK says of $what is a warning of ours, once', async ({ dialect, model, make, says }) => {
  const server = await ProviderServer.start(dialect, model, KEY);
  server.otherwise = () => ({ says: { parts: [{ text: 'Well.' }] } });
  const llm = make({ model, apiKey: KEY, baseUrl: server.baseUrl });

  for (const stream of [false, true, false])
    await collect(llm.generateContentAsync({ ...saying('hi'), model }, stream));
  await server.stop();

  expect(console_.warn).not.toHaveBeenCalled();
  expect(warnings).toEqual([
    expect.objectContaining({ fields: { provider: expect.any(String), text: expect.stringMatching(says) } }),
  ]);
});

describe('askQuietly', () => {
  const sdk = { provider: 'p', keys: [KEY] };

  it('tells no key, and nothing of the conversation', async () => {
    const pieces = await askQuietly(sdk, async () =>
      (async function* () {
        yield 1;
        console.error(`Could not read, with ${KEY}:`, 'what was said');
      })(),
    );

    await collect(pieces);

    expect(warnings.map(({ fields }) => fields)).toEqual([
      { provider: 'p', text: 'Could not read, with [key]:' },
    ]);
    expect(console_.error).not.toHaveBeenCalled();
  });

  it('leaves to the console what others write, also between two pieces', async () => {
    const pieces = await askQuietly(sdk, async () =>
      (async function* () {
        yield 1;
        yield 2;
      })(),
    );

    for await (const piece of pieces) console.warn('piece', piece);

    expect(console_.warn.mock.calls).toEqual([
      ['piece', 1],
      ['piece', 2],
    ]);
    expect(warnings).toEqual([]);
  });

  /** What is told when an SDK writes each of these. */
  async function toldOf(...said: readonly unknown[]): Promise<unknown[]> {
    const pieces = await askQuietly(sdk, async () =>
      (async function* () {
        for (const one of said) console.error(one);
        yield 1;
      })(),
    );
    await collect(pieces);
    return warnings.map(({ fields }) => Reflect.get(fields, 'text') as unknown);
  }

  it('tells of an error what it says', async () => {
    expect(await toldOf(new Error(`refused ${KEY}`))).toEqual(['refused [key]']);
  });

  it('tells what is new however much it told before', async () => {
    const many = Array.from({ length: 120 }, (_, n) => `notice ${n}`);

    expect(await toldOf(...many, 'notice 119', 'notice 120')).toEqual([...many, 'notice 120']);
  });
});
