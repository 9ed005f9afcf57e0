import {
  createAnthropicDialect,
  geminiDialect,
  openaiDialect,
  type ProviderDialect,
  ProviderServer,
} from '@skein/testing';

/** A provider as an author names its model, and how its servers speak. */
export interface TestedProvider {
  readonly name: string;
  /** Of @skein/adk. */
  readonly className: string;
  readonly model: string;
  /** Found nowhere else: where it is found, it leaked. */
  readonly apiKey: string;
  readonly dialect: ProviderDialect;
}

export const PROVIDERS: readonly TestedProvider[] = [
  {
    name: 'gemini',
    className: 'Gemini',
    model: 'gemini-2.5-flash',
    apiKey: 'AIzaPlantedKeyOfGemini0123456789abcdefg',
    dialect: geminiDialect,
  },
  {
    name: 'anthropic',
    className: 'AnthropicLlm',
    model: 'claude-sonnet-4-5',
    apiKey: 'sk-ant-planted-key-of-anthropic-0123456789',
    dialect: createAnthropicDialect(),
  },
  {
    name: 'openai',
    className: 'OpenAILlm',
    model: 'gpt-4.1-mini',
    apiKey: 'sk-proj-planted-key-of-openai-0123456789',
    dialect: openaiDialect,
  },
];

/** A server for each provider, by its name. */
export async function startProviders(): Promise<ReadonlyMap<string, ProviderServer>> {
  const servers = PROVIDERS.map(
    async ({ name, dialect, model, apiKey }) =>
      [name, await ProviderServer.start(dialect, model, apiKey)] as const,
  );
  return new Map(await Promise.all(servers));
}
