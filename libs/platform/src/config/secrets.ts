/** What opens the stores and the bus. It is of no use to anybody once a service has read it. */
export const STORE_SECRETS = [
  'DATABASE_URL',
  'SKEIN_SECRET',
  'NATS_URL',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'IMPORT_FROM',
] as const;

/** Given to models, and left to an author's own code. */
export const PROVIDER_KEYS = [
  'GOOGLE_API_KEY',
  'GEMINI_API_KEY',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
] as const;

/** Whether it may come in a file: `DATABASE_URL_FILE` is the path of what `DATABASE_URL` would hold. */
export function mayComeInFile(name: string): boolean {
  return [...STORE_SECRETS, ...PROVIDER_KEYS].some((secret) => secret === name);
}
