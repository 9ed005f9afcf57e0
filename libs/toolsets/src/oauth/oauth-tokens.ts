import { createHash } from 'node:crypto';
import { AdkError } from '@skein/contracts';
import { type AuthConfig, type AuthCredential, type Context } from '@skein/engine';
import { type SecurityScheme } from '../openapi/document-parts';
import { type Consent, authorizationRequest, consentOf, givenCode } from './authorization-request';
import { AskedTokens, isGood } from './asked-tokens';
import { KeptToken } from './kept-token';
import { type OAuthClient, oauthClientOf } from './oauth-client';
import { type OAuthEndpoints, oauthEndpointsOf, type OpenIdProvider } from './oauth-endpoints';
import { type OAuthToken, TokenEndpoint } from './token-endpoint';

/** A credential with a token, or what the user has to be asked. */
export type PreparedOAuth =
  { readonly credential: AuthCredential; readonly forget?: () => void } | { readonly ask: AuthConfig };

interface Asking {
  readonly context: Context;
  readonly config: AuthConfig & { readonly authScheme: SecurityScheme };
  readonly client: OAuthClient;
  readonly endpoints: OAuthEndpoints;
}

/**
 * Tokens of OAuth 2: the client's own, and those a user's code is exchanged for. The latter are kept in the session's
 * state, sealed with the client's secret, so that every worker has them and nobody else reads them; they are refreshed.
 */
export class OAuthTokens {
  readonly #endpoint: TokenEndpoint;
  readonly #asked = new AskedTokens();
  readonly #providers = new Map<string, Promise<OpenIdProvider>>();

  constructor(allow: readonly string[] = []) {
    this.#endpoint = new TokenEndpoint(allow);
  }

  /**
   * Nothing where the author's half holds no client, or the scheme has no flow that is known: then a token is wanted from
   * the user. Rejects with `oauth.refused`, with `oauth.unavailable` where another time may go well, or with `egress.…`.
   */
  async prepare(context: Context, config: Asking['config']): Promise<PreparedOAuth | undefined> {
    const client = oauthClientOf(config.rawAuthCredential);
    if (!client) return undefined;
    const endpoints = await oauthEndpointsOf(config.authScheme, (url) => this.#provider(url));
    if (!endpoints) return undefined;
    const asking = { context, config, client, endpoints };
    return endpoints.grant === 'client_credentials' ? this.#ofClient(asking) : this.#ofUser(asking);
  }

  async #ofClient({ client, endpoints }: Asking): Promise<PreparedOAuth> {
    const { grant, tokenUrl, scopes } = endpoints;
    const { audience } = client;
    const key = digestOf([tokenUrl, client, scopes]);
    const scope = scopes.length > 0 ? scopes.join(' ') : undefined;
    const token = await this.#asked.get(key, () =>
      this.#endpoint.token(tokenUrl, client, { grant_type: grant, scope, audience }),
    );
    return { credential: bearerOf(token), forget: () => this.#asked.forget(key, token) };
  }

  async #ofUser(asking: Asking): Promise<PreparedOAuth> {
    const { context, config, client, endpoints } = asking;
    const kept = new KeptToken(context, client, config.credentialKey);
    const consent = consentOf(context, client);
    const token = (await this.#fresh(asking, kept)) ?? (await this.#exchanged(asking, consent, kept));
    if (token) return { credential: bearerOf(token), forget: () => this.#forget(kept, token) };
    const oauth2 = authorizationRequest(client, endpoints, consent);
    const { authType = 'oauth2' } = config.rawAuthCredential ?? {};
    return { ask: { ...config, exchangedAuthCredential: { authType, ...(oauth2 ? { oauth2 } : {}) } } };
  }

  /** The token that is kept, as long as it is good; one that is not is refreshed, where its server lets that be. */
  async #fresh({ client, endpoints }: Asking, kept: KeptToken): Promise<OAuthToken | undefined> {
    const { token } = kept;
    if (!token || isGood(token)) return token;
    const { refreshToken, goodUntilMs } = token;
    if (refreshToken === undefined) return undefined;
    const renewedAtMs = goodUntilMs === 0 ? Date.now() : undefined;
    try {
      const fresh = await this.#asked.get(refreshKey(refreshToken), () =>
        this.#endpoint.token(endpoints.tokenUrl, client, {
          ...{ grant_type: 'refresh_token', refresh_token: refreshToken },
        }),
      );
      // Most servers let it be used again, and do not say it again.
      return kept.keep({ ...fresh, refreshToken: fresh.refreshToken ?? refreshToken, renewedAtMs });
    } catch (error) {
      if (AdkError.isInstance(error) && error.code === 'oauth.refused') return undefined;
      throw error;
    }
  }

  /** What a code gave stays with the code: sent again, it may end all the tokens that came of it. */
  #forget(kept: KeptToken, token: OAuthToken): void {
    // A server that rotates none gives the new token for the same refresh token as the refused one.
    if (token.refreshToken !== undefined) this.#asked.forget(refreshKey(token.refreshToken), token);
    kept.forget();
  }

  /** Calls of this process that were given the same code share what it gave: it is good for one time only. */
  async #exchanged(
    { context, config, client, endpoints }: Asking,
    consent: Consent,
    kept: KeptToken,
  ): Promise<OAuthToken | undefined> {
    const given = context.getAuthResponse(config);
    const answer = given && givenCode(given, client, consent);
    if (!answer) return undefined;
    const spent = digestOf(['code', answer.code]);
    if (spent === kept.spent) return undefined;
    const token = await this.#asked.get(spent, () =>
      this.#endpoint.token(endpoints.tokenUrl, client, {
        ...{ grant_type: 'authorization_code', code: answer.code, redirect_uri: answer.redirectUri },
        ...(client.hasChallenge ? { code_verifier: consent.verifier } : {}),
      }),
    );
    return kept.keep(token, spent);
  }

  #provider(url: string): Promise<OpenIdProvider> {
    const known = this.#providers.get(url) ?? this.#endpoint.provider(url);
    this.#providers.set(url, known);
    known.catch(() => this.#providers.delete(url));
    return known;
  }
}

function bearerOf({ accessToken }: OAuthToken): AuthCredential {
  return { authType: 'oauth2', oauth2: { accessToken } };
}

function refreshKey(refreshToken: string): string {
  return digestOf(['refresh', refreshToken]);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
