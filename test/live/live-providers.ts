/** A provider that real models are asked of, where its key is set. */
export interface LiveProvider {
  readonly name: string;
  /** Any of them. */
  readonly keys: readonly string[];
  readonly model: string;
  /** Cheap models forget to: asked for where the provider thinks only when it is told to. */
  readonly thinkingConfig?: Readonly<Record<string, unknown>>;
}

/** Small and cheap models; `LIVE_GEMINI_MODEL` and so on name others. */
export function liveProviders(environment: NodeJS.ProcessEnv): readonly LiveProvider[] {
  const { LIVE_GEMINI_MODEL, LIVE_ANTHROPIC_MODEL, LIVE_OPENAI_MODEL } = environment;
  return [
    {
      name: 'Gemini',
      keys: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
      model: LIVE_GEMINI_MODEL ?? 'gemini-2.5-flash',
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
    },
    {
      name: 'Claude',
      keys: ['ANTHROPIC_API_KEY'],
      model: LIVE_ANTHROPIC_MODEL ?? 'claude-haiku-4-5',
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
    },
    { name: 'OpenAI', keys: ['OPENAI_API_KEY'], model: LIVE_OPENAI_MODEL ?? 'gpt-5-mini' },
  ];
}

/** What to set, where no provider has its key; with one or more there is something to test. */
export function missingKeys(
  providers: readonly LiveProvider[],
  environment: NodeJS.ProcessEnv,
): string | undefined {
  if (providers.some((provider) => hasKey(provider, environment))) return undefined;
  const keys = providers.map(({ name, keys: names }) => `${names.join(' or ')} (${name})`);
  return `No provider can be asked: set the key of one or more of them: ${keys.join(', ')}.`;
}

export function hasKey({ keys }: LiveProvider, environment: NodeJS.ProcessEnv): boolean {
  return keys.some((key) => environment[key]);
}
