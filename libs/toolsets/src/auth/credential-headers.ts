import { AdkError } from '@skein/contracts';
import { type AuthConfig, type AuthCredential } from '@skein/engine';

/** A credential as the headers of a request. Throws `auth.unsupported` for one that no header can say. */
export function credentialHeaders(
  { authScheme }: Pick<AuthConfig, 'authScheme'>,
  credential: AuthCredential,
): Record<string, string> {
  const { authType, apiKey, http } = credential;
  const token = tokenOf(credential);
  if (authType === 'apiKey' && apiKey !== undefined) return { [headerOf(authScheme)]: apiKey };
  if (http) {
    const { scheme, additionalHeaders = {}, credentials } = http;
    const { username = '', password = '', token: given = '' } = credentials;
    const isBasic = scheme.toLowerCase() === 'basic';
    const secret = isBasic && !given ? Buffer.from(`${username}:${password}`).toString('base64') : given;
    const name = isBasic ? 'Basic' : scheme.toLowerCase() === 'bearer' ? 'Bearer' : scheme;
    return { ...additionalHeaders, ...(secret ? { authorization: `${name} ${secret}` } : {}) };
  }
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  throw new AdkError(
    'invalid',
    'auth.unsupported',
    `A credential of type ${authType} cannot be sent as a header.`,
  );
}

function headerOf({ in: place = 'header', name = 'x-api-key' }: AuthConfig['authScheme']): string {
  if (place === 'header' && typeof name === 'string') return name;
  throw new AdkError('invalid', 'auth.unsupported', 'An API key can be sent in a header only.');
}

function tokenOf({ oauth2 }: AuthCredential): string | undefined {
  const token = oauth2?.accessToken ?? oauth2?.access_token;
  return typeof token === 'string' ? token : undefined;
}
