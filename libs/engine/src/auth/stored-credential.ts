import { type State } from '../state/state';
import { TEMP_PREFIX } from '../state/state-scope';
import { type AuthConfig, type AuthCredential } from './auth-config';

/** Where a credential is kept while its invocation runs: `temp:`, so it is neither stored nor shown. */
export function credentialStateKey({ credentialKey }: Pick<AuthConfig, 'credentialKey'>): string {
  return TEMP_PREFIX + credentialKey;
}

/** What the user gave, with the author's own half put back: that one never travelled (B65). */
export function storedCredential(
  authConfig: AuthConfig,
  state: Pick<State, 'get'>,
): AuthCredential | undefined {
  const given = state.get<AuthCredential>(credentialStateKey(authConfig));
  if (!given) return undefined;
  const raw = authConfig.rawAuthCredential;
  if (!raw?.oauth2) return given;
  return { ...given, oauth2: { ...raw.oauth2, ...given.oauth2 } };
}
