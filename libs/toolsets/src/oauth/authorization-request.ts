import { createHash, createHmac } from 'node:crypto';
import { AdkError } from '@skein/contracts';
import { type AuthCredential, type Context } from '@skein/engine';
import { fieldOf, type OAuthClient } from './oauth-client';
import { type OAuthEndpoints } from './oauth-endpoints';

/** A question to the user of one call, and what only who has the client's secret can know of it. */
export interface Consent {
  readonly state: string;
  /** Proves that who exchanges the code is who asked for it (PKCE). */
  readonly verifier: string;
}

/** The code that a user's answer holds. */
export interface GivenCode {
  readonly code: string;
  readonly redirectUri: string | undefined;
}

/** The same in every process that has the agent, so that nothing of it has to be kept while the user is asked. */
export function consentOf(
  { invocationId, functionCallId = '' }: Pick<Context, 'invocationId' | 'functionCallId'>,
  { clientSecret }: OAuthClient,
): Consent {
  const derived = (what: string): string =>
    createHmac('sha256', clientSecret)
      .update(JSON.stringify([what, invocationId, functionCallId]))
      .digest('base64url');
  return { state: derived('state'), verifier: derived('verifier') };
}

/** What the user's client is told: where he is asked, and the state that has to come back with the code. */
export function authorizationRequest(
  client: OAuthClient,
  { authorizationUrl, scopes }: OAuthEndpoints,
  { state, verifier }: Consent,
): AuthCredential['oauth2'] {
  const { clientId, redirectUri, authUri, audience } = client;
  const shown = { clientId, ...(redirectUri === undefined ? {} : { redirectUri }) };
  if (authUri !== undefined) return { ...shown, authUri };
  if (authorizationUrl === undefined || !URL.canParse(authorizationUrl)) {
    throw notAllowed('The scheme names no address at which the user could be asked.');
  }
  const url = new URL(authorizationUrl);
  const fields = {
    ...{
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
    },
    ...{ access_type: 'offline', prompt: 'consent', audience },
    ...(client.hasChallenge ? { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } : {}),
  };
  for (const [name, value] of Object.entries(fields)) if (value) url.searchParams.set(name, value);
  return { ...shown, authUri: url.href, state };
}

/** Nothing where the user gave no code. Throws `oauth.refused` for an answer that is another one's, or says no. */
export function givenCode(
  { oauth2 = {} }: AuthCredential,
  { redirectUri: own, authUri }: OAuthClient,
  { state }: Consent,
): GivenCode | undefined {
  const answer = fieldOf(oauth2, 'authResponseUri', 'auth_response_uri');
  const redirectUri = own ?? fieldOf(oauth2, 'redirectUri', 'redirect_uri');
  const plain = fieldOf(oauth2, 'authCode', 'auth_code');
  if (answer === undefined) return plain === undefined ? undefined : { code: plain, redirectUri };
  if (!URL.canParse(answer)) throw notAllowed('What the user was sent back with is no URL.');
  const { searchParams } = new URL(answer);
  // A code that somebody else put under would let this user work on that one's behalf.
  if (authUri === undefined && searchParams.get('state') !== state) {
    throw notAllowed('The answer of the authorization server is to another question.');
  }
  const code = searchParams.get('code');
  if (code === null) throw notAllowed('The user, or the authorization server, did not allow it.');
  return { code, redirectUri };
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function notAllowed(message: string): AdkError {
  return new AdkError('denied', 'oauth.refused', message);
}
