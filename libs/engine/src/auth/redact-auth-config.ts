import { type Content, type FunctionResponse } from '@skein/contracts';
import { type AuthConfig, type AuthCredential, REQUEST_CREDENTIAL } from './auth-config';

/** What a client has to know of a credential to get the user's consent; what is not known to be harmless is dropped. */
const SHOWN_OF_OAUTH: ReadonlySet<string> = new Set([
  'audience',
  'authUri',
  'auth_uri',
  'clientId',
  'client_id',
  'prompt',
  'redirectUri',
  'redirect_uri',
  'scopes',
  'state',
]);

/** The config as it may be stored and shown: who is asked for what, without anything that opens a door (B65). */
export function redactAuthConfig(authConfig: AuthConfig): AuthConfig {
  const { authScheme, credentialKey, rawAuthCredential, exchangedAuthCredential } = authConfig;
  return {
    authScheme,
    credentialKey,
    ...(rawAuthCredential ? { rawAuthCredential: redactCredential(rawAuthCredential) } : {}),
    ...(exchangedAuthCredential
      ? { exchangedAuthCredential: redactCredential(exchangedAuthCredential) }
      : {}),
  };
}

/** What the user said as it may be stored: a credential he gives is used in this run and kept nowhere (B65). */
export function redactCredentials(content: Content): Content {
  if (!content.parts?.some((part) => part.functionResponse?.name === REQUEST_CREDENTIAL)) return content;
  const parts = content.parts.map((part) => {
    const { functionResponse } = part;
    if (functionResponse?.name !== REQUEST_CREDENTIAL) return part;
    return { functionResponse: redactAnswer(functionResponse) };
  });
  return { ...content, parts };
}

function redactCredential({ authType, oauth2 }: AuthCredential): AuthCredential {
  if (!oauth2) return { authType };
  const shown = Object.entries(oauth2).filter(([name]) => SHOWN_OF_OAUTH.has(name));
  return { authType, oauth2: Object.fromEntries(shown) };
}

/** Of an answer nothing but whose it is: it comes from outside, and may hold a secret under any name. */
function redactAnswer({ id, name }: FunctionResponse): FunctionResponse {
  return { ...(id === undefined ? {} : { id }), name, response: {} };
}
