import { AdkError } from '@skein/contracts';
import { type AuthCredential } from '@skein/engine';
import { type SecurityScheme } from './document-parts';

/** What a credential is put into. */
export interface CredentialTarget {
  readonly url: URL;
  readonly headers: Headers;
  readonly cookies: string[];
}

/** Whether a credential is what the scheme asks for, and not the author's half of it, which a user has to complete. */
export function isUsable(scheme: SecurityScheme, credential: AuthCredential | undefined): boolean {
  if (!credential) return false;
  if (scheme.type === 'apiKey') return credential.apiKey !== undefined;
  return authorizationOf(scheme, credential) !== undefined;
}

/** Adds a credential where its scheme says. Throws `openapi.credential` for one that the scheme has no use for. */
export function applyCredential(
  scheme: SecurityScheme,
  credential: AuthCredential,
  { url, headers, cookies }: CredentialTarget,
): void {
  try {
    for (const [name, value] of Object.entries(credential.http?.additionalHeaders ?? {}))
      headers.set(name, value);
    if (scheme.type === 'apiKey') applyKey(scheme, credential.apiKey ?? '', { url, headers, cookies });
    else headers.set('authorization', authorizationOf(scheme, credential) ?? '');
  } catch (cause) {
    // The reason would show the credential.
    throw badCredential(`The credential for ${scheme.type} holds what no header takes.`, cause);
  }
}

function applyKey({ in: place, name = '' }: SecurityScheme, key: string, target: CredentialTarget): void {
  if (place === 'query') target.url.searchParams.set(name, key);
  else if (place === 'cookie') target.cookies.push(`${name}=${encodeURIComponent(key)}`);
  else target.headers.set(name, key);
}

function authorizationOf(
  scheme: SecurityScheme,
  { apiKey, http, oauth2 }: AuthCredential,
): string | undefined {
  const {
    username,
    password,
    token = textOf(oauth2?.accessToken ?? oauth2?.access_token),
  } = http?.credentials ?? {};
  const kind = (scheme.type === 'http' ? (scheme.scheme ?? http?.scheme) : undefined) ?? 'bearer';
  if (kind.toLowerCase() === 'basic') {
    if (username === undefined) return undefined;
    return `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
  }
  const value = token ?? apiKey;
  if (value === undefined) return undefined;
  return `${kind.toLowerCase() === 'bearer' ? 'Bearer' : kind} ${value}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function badCredential(message: string, cause?: unknown): AdkError {
  return new AdkError('invalid', 'openapi.credential', message, { cause });
}
