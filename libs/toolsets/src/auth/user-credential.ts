import { type AuthConfig, type AuthCredential, type ReadonlyContext } from '@skein/engine';

/**
 * What the user gave, without headers beside the credential: those are an author's to add, and from a user could take the
 * place of his, or of the protocol's own.
 */
export function userCredential(
  context: Pick<ReadonlyContext, 'getAuthResponse'>,
  config: AuthConfig,
): AuthCredential | undefined {
  const given = context.getAuthResponse(config);
  if (!given?.http) return given;
  const { scheme, credentials } = given.http;
  return { ...given, http: { scheme, credentials } };
}
