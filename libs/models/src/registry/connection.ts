import { AdkError } from '@skein/contracts';
import { type ModelProvider, modelSettings, PROVIDERS } from './model-settings';

/** Where a provider is asked, and with what. */
export interface Connection {
  /** Empty where the provider's server needs none. */
  readonly apiKey: string;
  /** None: the provider's own address. */
  readonly baseUrl: string | undefined;
}

/** Whether a request has to have a key, may have one, or is sent without one even if there is one. */
export type KeyUse = 'needed' | 'optional' | 'none';

/** A model, and what its author gave it in the place of the environment's. */
export interface Connecting extends Partial<Connection> {
  readonly provider: ModelProvider;
  readonly model: string;
}

/**
 * What the author gave, else what the environment has. Throws `model.no-key` where a key is missing, `model.bad-key` and
 * `model.bad-setting` where a key or an address cannot be used; no message has the key, or an address that is none.
 */
export function connectionOf(connecting: Connecting, keyUse: (baseUrl?: string) => KeyUse): Connection {
  const baseUrl = checkedUrl(connecting);
  return { apiKey: checkedKey(connecting, keyUse(baseUrl)), baseUrl };
}

/** Throws `model.bad-setting` for a name that names nothing. */
export function checkModelName(model: unknown): void {
  if (typeof model === 'string' && model.trim()) return;
  const message = `A model has to be made with the name it has at its provider, as "model"; it is ${JSON.stringify(model)}.`;
  throw new AdkError('invalid', 'model.bad-setting', message);
}

function checkedKey({ provider, model, apiKey: given }: Connecting, use: KeyUse): string {
  if (use === 'none') return '';
  const key = given ?? modelSettings().apiKeys?.[provider] ?? '';
  const variables = PROVIDERS[provider].keys.join(' or ');
  const isMissing = !key && given === undefined;
  if (isMissing && use === 'needed') {
    throw new AdkError('invalid', 'model.no-key', `No API key for model "${model}": set ${variables}.`);
  }
  const flaw = key || use === 'needed' ? flawOf(key) : undefined;
  if (!flaw) return key;
  const [whose, remedy] =
    given === undefined
      ? ['of the environment', `set ${variables} to one`]
      : ['it was made with', `give it one as "apiKey", or none and set ${variables}`];
  const message = `The ${provider} API key of model "${model}" cannot be used: the one ${whose} ${flaw}; ${remedy}.`;
  throw new AdkError('invalid', 'model.bad-key', message);
}

/** What keeps a key from being sent in a header as it is. */
function flawOf(key: unknown): string | undefined {
  if (typeof key !== 'string') return 'is no text';
  if (!key.trim()) return key ? 'is blank' : 'is empty';
  if (/[\r\n]/.test(key)) return 'has a line break in it';
  if (key.trim() !== key) return 'has blanks around it';
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(key) ? undefined : 'has characters that no header takes';
}

function checkedUrl({ provider, model, baseUrl: given }: Connecting): string | undefined {
  const baseUrl = given ?? modelSettings().baseUrls?.[provider];
  if (baseUrl === undefined) return undefined;
  const flaw = flawOfUrl(baseUrl);
  if (!flaw) return baseUrl;
  const whose = given === undefined ? PROVIDERS[provider].urls.join(' or ') : '"baseUrl"';
  const message = `The address that model "${model}" is to be asked at, of ${whose}, ${flaw}.`;
  throw new AdkError('invalid', 'model.bad-setting', message);
}

function flawOfUrl(baseUrl: unknown): string | undefined {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return 'is no URL';
  const { protocol, username, password, search, hash } = new URL(baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') return 'is not of http or https';
  if (username || password) return 'has a name or a password in it, which no request carries';
  // Paths are put behind it as it is.
  return search || hash ? 'ends in a query or a fragment' : undefined;
}
