const NAMES = ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'SCRIPTED_LLM_LOG'];
const BASE_URL = /^[A-Z][A-Z0-9_]*_BASE_URL$/;

/**
 * The keys and base URLs of model providers, by their names in the environment. The agent loader gives them to the
 * models, so that no model reads the environment itself.
 */
export function providerEnvironment(
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value && (NAMES.includes(name) || BASE_URL.test(name))) found[name] = value;
  }
  return found;
}
