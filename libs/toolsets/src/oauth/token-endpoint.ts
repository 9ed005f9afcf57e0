import { AdkError } from '@skein/contracts';
import { z } from 'zod';
import { allowListOf, hostOf } from '../egress/allow-list';
import { egressAllowed } from '../egress/egress-settings';
import { type GuardedFetch, guardedFetch } from '../egress/guarded-fetch';
import { type OAuthClient } from './oauth-client';
import { type OpenIdProvider, providerSchema } from './oauth-endpoints';

/** What a token endpoint gave; `goodUntilMs` is before its end, so that a request with it arrives in time. */
export interface OAuthToken {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly goodUntilMs?: number | undefined;
  /** When it took the place of one that an API would not have before its time was over. */
  readonly renewedAtMs?: number | undefined;
}

/** A grant and what goes with it, by OAuth's names. */
export type Grant = Readonly<Record<string, string | undefined>> & { readonly grant_type: string };

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 30_000;
const EARLY_MS = 60_000;
const WELL_KNOWN = '/.well-known/openid-configuration';

const answerSchema = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
  refresh_token: z.string().min(1).optional().catch(undefined),
});
/** The words of RFC 6749; what else a server says may hold anything. */
const refusalSchema = z.object({ error: z.string().regex(/^[a-z_]{1,64}$/) });

/** Asks authorization servers: by https alone, unless their host is allowed, and with no redirect followed. */
export class TokenEndpoint {
  readonly #fetch: GuardedFetch;

  constructor(private readonly allow: readonly string[] = []) {
    this.#fetch = guardedFetch({ allow, maxResponseBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  }

  /** Rejects with `oauth.refused`, with `oauth.unavailable` where another time may go well, or with `egress.…`. */
  async token(url: string, client: OAuthClient, grant: Grant): Promise<OAuthToken> {
    const { clientId, clientSecret, isBasic } = client;
    const own = isBasic ? {} : { client_id: clientId, client_secret: clientSecret };
    const fields = Object.entries({ ...grant, ...own }).filter(([, value]) => value !== undefined);
    const answer = await this.#ask(url, {
      method: 'POST',
      headers: { accept: 'application/json', ...(isBasic ? basic(client) : {}) },
      body: new URLSearchParams(fields as [string, string][]),
    });
    const { data } = answerSchema.safeParse(answer);
    if (!data || (data.token_type ?? 'bearer').toLowerCase() !== 'bearer') {
      throw refused(url, 'it gave no bearer token');
    }
    return {
      accessToken: data.access_token,
      refreshToken: data.refresh_token,
      goodUntilMs: data.expires_in === undefined ? undefined : goodUntil(data.expires_in * 1_000),
    };
  }

  /** What an OpenID provider says of itself, if it is the one its address says. */
  async provider(url: string): Promise<OpenIdProvider> {
    const { data } = providerSchema.safeParse(
      await this.#ask(url, { headers: { accept: 'application/json' } }),
    );
    const isItself = data !== undefined && `${data.issuer.replace(/\/$/, '')}${WELL_KNOWN}` === url;
    if (!isItself) throw refused(url, 'it describes no OpenID provider, or another one');
    return data;
  }

  async #ask(url: string, init: RequestInit): Promise<unknown> {
    this.#assertPrivateTalk(url);
    const response = await this.#fetch(url, { ...init, redirect: 'error' });
    const said = jsonOf(await response.text());
    if (response.ok) return said;
    const { status } = response;
    if (status === 429 || status >= 500) {
      throw new AdkError('unavailable', 'oauth.unavailable', `${hostIn(url)} answered ${status}.`);
    }
    const word = refusalSchema.safeParse(said).data?.error;
    throw refused(url, word ?? `it answered ${status}`);
  }

  /** A secret goes along. */
  #assertPrivateTalk(text: string): void {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol === 'https:') return;
    const allowed = allowListOf([...this.allow, ...egressAllowed()]);
    if (url && (allowed.hasHost(url) || allowed.hasAddress(hostOf(url)))) return;
    throw refused(text, 'it must be reached by https');
  }
}

function basic({ clientId, clientSecret }: OAuthClient): { authorization: string } {
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function goodUntil(lifeMs: number): number {
  return Date.now() + Math.max(lifeMs - EARLY_MS, lifeMs / 2);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(url: string, why: string): AdkError {
  return new AdkError('denied', 'oauth.refused', `No token from ${hostIn(url)}: ${why}.`);
}

/** Never with its path or query. */
function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host.slice(0, 200) : 'an address that is no URL';
}
