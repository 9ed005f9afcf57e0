/** A model provider, by the name its adapter goes under. */
export type ModelProvider = 'gemini';

/** What models need from outside; whoever loads agents gives it, because no model reads the environment itself. */
export interface ModelSettings {
  readonly apiKeys?: Partial<Readonly<Record<ModelProvider, string>>>;
  /** Where a provider's API is, when not at its own address: a proxy or a test server. */
  readonly baseUrls?: Partial<Readonly<Record<ModelProvider, string>>>;
  /** File that scripted models append their requests to. */
  readonly scriptedLog?: string;
}

let settings: ModelSettings = {};

/** The settings as of now; models read them at each call, since agent files make models before or after they are set. */
export function modelSettings(): ModelSettings {
  return settings;
}

export function setModelSettings(given: ModelSettings): void {
  settings = given;
}

/** Reads settings from the environment's names, as platform's `providerEnvironment()` gives them. */
export function modelSettingsFrom(environment: Readonly<Record<string, string>>): ModelSettings {
  // In Google's own order: GOOGLE_API_KEY wins where both are set.
  const geminiKey = environment.GOOGLE_API_KEY ?? environment.GEMINI_API_KEY;
  const geminiUrl = environment.GEMINI_BASE_URL ?? environment.GOOGLE_BASE_URL;
  const scriptedLog = environment.SCRIPTED_LLM_LOG;
  return {
    apiKeys: geminiKey ? { gemini: geminiKey } : {},
    baseUrls: geminiUrl ? { gemini: geminiUrl } : {},
    ...(scriptedLog ? { scriptedLog } : {}),
  };
}
