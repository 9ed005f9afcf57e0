import { ConfigError } from './load-config';
import { withSecretFiles } from './secret-files';
import { PROVIDER_KEYS } from './secrets';

const NAMES: readonly string[] = [
  ...PROVIDER_KEYS,
  'SCRIPTED_LLM_LOG',
  'MODEL_ANSWER_LIMIT_BYTES',
  'TOOL_EGRESS_ALLOW',
];
const BASE_URL = /^[A-Z][A-Z0-9_]*_BASE_URL$/;

/**
 * The keys and base URLs of model providers, the bound of their answers and what tools may reach, by their names in the
 * environment. The agent loader gives them to models and toolsets, so that none of these reads the environment itself. A key may come in a file, as `GEMINI_API_KEY_FILE`; throws a
 * ConfigError when that cannot be read.
 */
export function providerEnvironment(
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string>> {
  const secrets = withSecretFiles(environment, PROVIDER_KEYS);
  if (secrets.problems.length > 0) throw new ConfigError(secrets.problems);
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(secrets.environment)) {
    if (value && (NAMES.includes(name) || BASE_URL.test(name))) found[name] = value;
  }
  return found;
}
