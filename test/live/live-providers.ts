/** A provider that real models are asked of, where its key is set. */
export interface LiveProvider {
  readonly name: string;
  /** Any of them. */
  readonly keys: readonly string[];
  readonly model: string;
  /** Cheap models forget to: asked for where the provider thinks only when it is told to. */
  readonly thinkingConfig?: Readonly<Record<string, unknown>>;
}

/** As `providerEnvironment` reads it: keys may also have come in files. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Small and cheap models; `LIVE_GEMINI_MODEL` and so on name others. */
export function liveProviders(environment: Environment): readonly LiveProvider[] {
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

/** Which providers are asked, and which are not, with what to set: a suite that is skipped looks like one that passed. */
export function whoIsAsked(providers: readonly LiveProvider[], environment: Environment): string {
  const asked = providers.filter((provider) => hasKey(provider, environment));
  const others = providers.filter((provider) => !asked.includes(provider));
  return [
    `Asked: ${asked.map(({ name, model }) => `${name} (${model})`).join(', ') || 'no provider'}.`,
    ...others.map(({ name, keys }) => `NOT asked: ${name} (set ${keys.join(' or ')}).`),
  ].join('\n');
}

export function hasKey({ keys }: LiveProvider, environment: Environment): boolean {
  return keys.some((key) => environment[key]);
}
