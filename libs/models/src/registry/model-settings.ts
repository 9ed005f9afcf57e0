import { Circuit } from '../circuit/circuit';
import { LocalPace } from '../pace/local-pace';
import { type Lane, laneName, type ModelPace } from '../pace/model-pace';
import { Recent } from '../pace/recent';
import { type Way } from '../patience/ask-patiently';

/** A model provider, by the name its adapter goes under. */
export type ModelProvider = 'gemini' | 'anthropic' | 'openai';

/** The variables that a provider's key and address are read from; where several are set, the first one wins. */
export const PROVIDERS: Readonly<Record<ModelProvider, ProviderVariables>> = {
  // In Google's own order.
  gemini: {
    keys: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
    urls: ['GEMINI_BASE_URL', 'GOOGLE_BASE_URL'],
  },
  anthropic: { keys: ['ANTHROPIC_API_KEY'], urls: ['ANTHROPIC_BASE_URL'] },
  openai: { keys: ['OPENAI_API_KEY'], urls: ['OPENAI_BASE_URL'] },
};

interface ProviderVariables {
  readonly keys: readonly string[];
  readonly urls: readonly string[];
}

/** What models need from outside; whoever loads agents gives it, because no model reads the environment itself. */
export interface ModelSettings {
  readonly apiKeys?: Partial<Readonly<Record<ModelProvider, string>>>;
  /** Where a provider's API is, when not at its own address: a proxy or a test server. */
  readonly baseUrls?: Partial<Readonly<Record<ModelProvider, string>>>;
  /** Who decides when a provider is asked; this process alone when left out. */
  readonly pace?: ModelPace;
  /** File that scripted models append their requests to. */
  readonly scriptedLog?: string;
}

let settings: ModelSettings = {};
let pace: ModelPace = new LocalPace();
let circuits = newCircuits();

/** The settings as of now; models read them at each call, since agent files make models before or after they are set. */
export function modelSettings(): ModelSettings {
  return settings;
}

export function setModelSettings(given: ModelSettings): void {
  settings = given;
  pace = given.pace ?? new LocalPace();
  circuits = newCircuits();
}

/** What requests on a lane go through; forgotten with the settings. */
export function wayOf(lane: Lane): Way {
  return { lane, pace, circuit: circuits.of(laneName(lane)) };
}

function newCircuits(): Recent<Circuit> {
  return new Recent(
    () => new Circuit(),
    (circuit) => !circuit.isIdle,
  );
}

/** Reads settings from the environment's names, as platform's `providerEnvironment()` gives them. */
export function modelSettingsFrom(environment: Readonly<Record<string, string>>): ModelSettings {
  const apiKeys: Partial<Record<ModelProvider, string>> = {};
  const baseUrls: Partial<Record<ModelProvider, string>> = {};
  for (const provider of Object.keys(PROVIDERS) as ModelProvider[]) {
    const { keys, urls } = PROVIDERS[provider];
    const [apiKey] = keys.flatMap((name) => environment[name] ?? []);
    const [baseUrl] = urls.flatMap((name) => environment[name] ?? []);
    if (apiKey) apiKeys[provider] = apiKey;
    if (baseUrl) baseUrls[provider] = baseUrl;
  }
  const scriptedLog = environment.SCRIPTED_LLM_LOG;
  return { apiKeys, baseUrls, ...(scriptedLog ? { scriptedLog } : {}) };
}
