const OWN = /(^|\.)(api\.openai\.com|openai\.azure\.com)$/;

/** Whether an address is OpenAI's own service, Azure's among it, rather than a server that speaks as it does. */
export function isOpenAIs(baseUrl: string | undefined): boolean {
  if (!baseUrl) return true;
  return URL.canParse(baseUrl) && OWN.test(new URL(baseUrl).hostname);
}
