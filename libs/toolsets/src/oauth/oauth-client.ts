import { type AuthCredential } from '@skein/engine';

/** An author's own half of an OAuth credential: whom the token endpoint knows. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** In the place of the one that the user's answer names. */
  readonly redirectUri?: string | undefined;
  /** Where the author made the address himself at which the user allows it. */
  readonly authUri?: string | undefined;
  readonly audience?: string | undefined;
  readonly isBasic: boolean;
  /** Whether the code is bound to whoever asked for it by a secret of its own (PKCE). */
  readonly hasChallenge: boolean;
}

/** Nothing where there is no secret to show the token endpoint: such a credential is no client's, or a public one's. */
export function oauthClientOf(credential: AuthCredential | undefined): OAuthClient | undefined {
  const oauth2 = credential?.oauth2 ?? {};
  const clientId = fieldOf(oauth2, 'clientId', 'client_id');
  const clientSecret = fieldOf(oauth2, 'clientSecret', 'client_secret');
  if (!clientId || !clientSecret) return undefined;
  return {
    ...{ clientId, clientSecret },
    redirectUri: fieldOf(oauth2, 'redirectUri', 'redirect_uri'),
    authUri: fieldOf(oauth2, 'authUri', 'auth_uri'),
    audience: fieldOf(oauth2, 'audience'),
    isBasic:
      fieldOf(oauth2, 'tokenEndpointAuthMethod', 'token_endpoint_auth_method') === 'client_secret_basic',
    hasChallenge: fieldOf(oauth2, 'codeChallengeMethod', 'code_challenge_method') === 'S256',
  };
}

/** A text by either of the spellings that ADKs have for it. */
export function fieldOf(oauth2: Readonly<Record<string, unknown>>, ...names: string[]): string | undefined {
  const found = names.map((name) => oauth2[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : undefined;
}
