const HIDDEN = '[key]';

/** What else in a provider's words may open its door: keys in addresses and headers, and names with passwords. */
const SECRETS: readonly RegExp[] = [
  /(?<=[?&](?:key|api[-_]?key|access_token|token)=)[^&\s"']+/gi,
  /(?<=\bbearer\s+)[^\s"',]+/gi,
  /(?<=\/\/)[^\s/@"']+(?=@)/g,
];

/** A text without the key, however it is spelt in an address, and without other secrets in it. */
export function withoutKeys(text: string, apiKey: string): string {
  const spelt = apiKey ? [apiKey, encodeURIComponent(apiKey)] : [];
  const own = spelt.reduce((rest, key) => rest.replaceAll(key, HIDDEN), text);
  return SECRETS.reduce((rest, secret) => rest.replace(secret, HIDDEN), own);
}
