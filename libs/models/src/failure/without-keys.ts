import { type LlmResponse } from '@skein/engine';

const HIDDEN = '[key]';

/** A server of one's own takes "o" or "none" for a key; that occurs within every other word. */
const MIN_KEY_LENGTH = 6;

/** What else in a provider's words may open its door: keys in addresses and headers, names with passwords, keys by their looks. */
const SECRETS: readonly RegExp[] = [
  /(?<=[?&](?:key|api[-_]?key|access_token|token)=)[^&\s"']+/gi,
  // "Bearer authentication" is no key: one has eight characters or more, and one that words do not have.
  /(?<=\bbearer\s+)(?=[^\s"',]*(?:[\d_=]|[.-][^\s"',]))[^\s"',]{8,}/gi,
  /(?<=\bbasic\s+)(?=[a-z+/]*[\d=])[a-z\d+/]{7,}=*(?![^\s"',])/gi,
  /(?<=\b(?:(?:proxy-)?authorization|(?:x-)?(?:goog-)?api[-_]key|x-auth-token|cookie)\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic)\s+)?)(?!(?:bearer|basic)\s)[^\s"',;\\]+/gi,
  /(?<=\/\/)[^\s/@"']+(?=@)/g,
  // OpenAI's and Anthropic's, Google's, and its access tokens.
  /\bsk-[\w-]{20,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w.-]+/g,
];

/** A text without these keys, however they are spelt in an address or in JSON, and without other secrets in it. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const spelt = keys.filter((key) => key.length >= MIN_KEY_LENGTH).flatMap(spellings);
  // The longest first: one may be the beginning of another.
  const own = spelt
    .sort((one, other) => other.length - one.length)
    .reduce((rest, key) => rest.replaceAll(key, HIDDEN), text);
  return SECRETS.reduce((rest, secret) => rest.replace(secret, HIDDEN), own);
}

function spellings(key: string): string[] {
  return [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)];
}

/** Why an answer is none, or ended, is told in the provider's words; what the model said is its own and stays. */
export function answerWithoutKeys(answer: LlmResponse, keys: readonly string[]): LlmResponse {
  const told = { ...answer };
  for (const field of ['errorCode', 'errorMessage', 'finishReason'] as const) {
    const said = answer[field];
    if (typeof said === 'string') told[field] = withoutKeys(said, keys);
  }
  return told;
}
