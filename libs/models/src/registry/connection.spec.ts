import { AdkError } from '@skein/contracts';
import { collect, saying } from '@skein/testing';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini } from '../gemini/gemini.model';
import { OpenAILlm } from '../openai/openai-llm.model';
import { type ProviderLlmParams } from '../provider/provider-llm';
import { type ModelProvider, modelSettingsFrom, setModelSettings } from './model-settings';

const adapters = [
  ['gemini', 'GOOGLE_API_KEY', (params: ProviderLlmParams) => new Gemini(params)],
  ['anthropic', 'ANTHROPIC_API_KEY', (params: ProviderLlmParams) => new AnthropicLlm(params)],
  ['openai', 'OPENAI_API_KEY', (params: ProviderLlmParams) => new OpenAILlm(params)],
] as const;

const SECRET = 'secret-0123456789';
const badKeys: readonly [what: string, key: string][] = [
  ['is blank', '  '],
  ['has a line break', `sk-${SECRET}\nX-Other: 1`],
  ['has a line break', `sk-${SECRET}\n`],
  ['has blanks around it', ` sk-${SECRET}`],
  ['has characters that no header takes', `sk-${SECRET}–…`],
  ['has characters that no header takes', `sk-${SECRET}\u0000`],
];
const badUrls: readonly [what: string, url: string][] = [
  ['is no URL', ''],
  ['is no URL', 'models.example.com'],
  ['is not of http', 'ftp://models.example.com'],
  ['has a name or a password', 'https://user:pass-word@models.example.com'],
  ['ends in a query', 'https://models.example.com/v1?key=pass-word'],
];

const fetched = jest.spyOn(globalThis, 'fetch');
beforeEach(() => fetched.mockRejectedValue(new Error('nobody is to be asked')));
afterEach(() => {
  setModelSettings({});
  expect(fetched).not.toHaveBeenCalled();
});

async function failureOf(model: { generateContentAsync: Gemini['generateContentAsync'] }): Promise<AdkError> {
  const thrown: unknown = await collect(model.generateContentAsync({ ...saying('hi'), model: 'm' })).catch(
    (error: unknown) => error,
  );
  if (!AdkError.isInstance(thrown)) throw new Error(`It ended with ${String(thrown)}.`);
  expect(`${thrown.message} ${thrown.stack}`).not.toMatch(/secret-|pass-word/);
  return thrown;
}

describe.each(adapters)('a model of %s', (provider: ModelProvider, variable, make) => {
  it.each([['is empty', ''], ...badKeys])('tells of a key that %s', async (what, apiKey) => {
    const error = await failureOf(make({ model: 'm', apiKey }));

    expect(error).toMatchObject({ code: 'model.bad-key', kind: 'invalid' });
    for (const told of [provider, '"m"', what, 'apiKey', variable]) expect(error.message).toContain(told);
  });

  it.each(badKeys)('tells of a key in the environment that %s', async (what, apiKey) => {
    setModelSettings(modelSettingsFrom({ [variable]: apiKey }));

    const error = await failureOf(make({ model: 'm' }));

    expect(error).toMatchObject({ code: 'model.bad-key', kind: 'invalid' });
    for (const told of [provider, '"m"', what, variable]) expect(error.message).toContain(told);
  });

  it.each(badUrls)('tells of an address that %s', async (what, baseUrl) => {
    const error = await failureOf(make({ model: 'm', apiKey: 'k', baseUrl }));

    expect(error).toMatchObject({ code: 'model.bad-setting', kind: 'invalid' });
    for (const told of ['"m"', what, 'baseUrl']) expect(error.message).toContain(told);
  });

  it('tells of an address in the environment that is none', async () => {
    const name = variable.replace('API_KEY', 'BASE_URL');
    setModelSettings(modelSettingsFrom({ [name]: 'localhost:1', [variable]: 'k' }));

    const error = await failureOf(make({ model: 'm' }));

    expect(error).toMatchObject({ code: 'model.bad-setting' });
    expect(error.message).toContain(name);
  });

  it.each<[Partial<ProviderLlmParams>, says: string]>([
    [{ maxAttempts: 0 }, 'maxAttempts'],
    [{ maxAnswerBytes: 0 }, 'maxAnswerBytes'],
    [{ maxAnswerBytes: NaN }, 'maxAnswerBytes'],
    [{ maxAttempts: 1.5 }, 'maxAttempts'],
    [{ maxAttempts: Infinity }, 'maxAttempts'],
    [{ firstDelayMs: -1 }, 'firstDelayMs'],
    [{ maxWaitMs: NaN }, 'maxWaitMs'],
    [{ connectTimeoutMs: 0 }, 'connectTimeoutMs'],
    [{ idleTimeoutMs: -5 }, 'idleTimeoutMs'],
    // A timer takes no more, and would be over at once.
    [{ totalTimeoutMs: 2 ** 31 }, 'totalTimeoutMs'],
    [{ totalTimeoutMs: '600' as unknown as number }, 'totalTimeoutMs'],
    [{ model: ' ' }, 'model'],
  ])('is not made with %j', (params, says) => {
    const making = () => make({ model: 'm', ...params });

    expect(making).toThrow(expect.objectContaining({ code: 'model.bad-setting', kind: 'invalid' }));
    expect(making).toThrow(says);
  });

  it('is made with what was left out, or given as undefined', () => {
    make({ model: 'm', maxAttempts: undefined, maxWaitMs: 0, firstDelayMs: 0 });
  });
});

describe('a setting of one provider', () => {
  it.each<[says: string, make: () => unknown]>([
    ['maxTokens', () => new AnthropicLlm({ model: 'm', maxTokens: 0 })],
    ['maxTokens', () => new AnthropicLlm({ model: 'm', maxTokens: NaN })],
    ['headers.x-other', () => new Gemini({ headers: { 'x-other': `${SECRET}\n1: 2` } })],
    ['headers.a name', () => new Gemini({ headers: { 'a name': SECRET } })],
  ])('is told of when it makes no sense: %s', (says, making) => {
    expect(making).toThrow(expect.objectContaining({ code: 'model.bad-setting' }));
    expect(making).toThrow(says);
    expect(making).not.toThrow('secret-');
  });
});

describe('Gemini at Vertex AI', () => {
  const place = { vertexai: true, project: 'p', location: 'l' } as const;

  it('tells of an address that is none, and has no use for a key that is', async () => {
    setModelSettings({ apiKeys: { gemini: ' ' } });

    const error = await failureOf(new Gemini({ ...place, baseUrl: 'localhost' }));

    expect(error).toMatchObject({ code: 'model.bad-setting' });
    expect(() => new Gemini({ ...place, maxAttempts: -1 })).toThrow('maxAttempts');
  });
});

describe('a variable that is set to nothing', () => {
  it('is passed over for one that holds a key', () => {
    const found = modelSettingsFrom({ GOOGLE_API_KEY: '', GEMINI_API_KEY: 'k', GEMINI_BASE_URL: '' });

    expect(found).toEqual({ apiKeys: { gemini: 'k' }, baseUrls: {} });
  });

  it.each(adapters)('is no key: %s', async (_provider, variable, make) => {
    setModelSettings(modelSettingsFrom({ [variable]: '' }));

    const error = await failureOf(make({ model: 'm' }));

    expect(error).toMatchObject({ code: 'model.no-key' });
    expect(error.message).toContain(variable);
  });
});
