import { CircuitBreaker } from '../circuit/circuit-breaker';
import { LocalRateLimiter } from '../limiter/local-rate-limiter';
import { type Lane, laneName, type RateLimiter } from '../limiter/rate-limiter';
import { LruCache } from '../limiter/lru-cache';
import { type Way } from '../retry/ask-with-retries';

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
  /** The most bytes of one answer, unpacked; 32 MiB when left out. */
  readonly maxAnswerBytes?: number;
  /** Who decides when a provider is asked; this process alone when left out. */
  readonly limiter?: RateLimiter;
  /** File that scripted models append their requests to. */
  readonly scriptedLog?: string;
}

let settings: ModelSettings = {};
let limiter: RateLimiter = new LocalRateLimiter();
let circuits = newCircuits();

/** The settings as of now; models read them at each call, since agent files make models before or after they are set. */
export function modelSettings(): ModelSettings {
  return settings;
}

export function setModelSettings(given: ModelSettings): void {
  settings = given;
  limiter = given.limiter ?? new LocalRateLimiter();
  circuits = newCircuits();
}

/** What requests on a lane go through; forgotten with the settings. */
export function wayOf(lane: Lane): Way {
  return { lane, limiter, circuit: circuits.of(laneName(lane)) };
}

function newCircuits(): LruCache<CircuitBreaker> {
  return new LruCache(
    () => new CircuitBreaker(),
    (circuit) => !circuit.isIdle,
  );
}

/** Reads settings from the environment's names, as platform's `providerEnvironment()` gives them. */
export function modelSettingsFrom(environment: Readonly<Record<string, string>>): ModelSettings {
  const apiKeys: Partial<Record<ModelProvider, string>> = {};
  const baseUrls: Partial<Record<ModelProvider, string>> = {};
  for (const provider of Object.keys(PROVIDERS) as ModelProvider[]) {
    const { keys, urls } = PROVIDERS[provider];
    // A variable that is set to nothing counts as not set.
    const apiKey = keys.map((name) => environment[name]).find(Boolean);
    const baseUrl = urls.map((name) => environment[name]).find(Boolean);
    if (apiKey) apiKeys[provider] = apiKey;
    if (baseUrl) baseUrls[provider] = baseUrl;
  }
  const scriptedLog = environment.SCRIPTED_LLM_LOG;
  const maxAnswerBytes = Number(environment.MODEL_ANSWER_LIMIT_BYTES);
  return {
    apiKeys,
    baseUrls,
    // The services check it at their start.
    ...(maxAnswerBytes > 0 ? { maxAnswerBytes } : {}),
    ...(scriptedLog ? { scriptedLog } : {}),
  };
}
