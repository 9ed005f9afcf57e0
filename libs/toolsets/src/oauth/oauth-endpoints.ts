import { z } from 'zod';
import { type SecurityScheme } from '../openapi/document-parts';

/** How a scheme's tokens are got, and where. */
export interface OAuthEndpoints {
  readonly grant: 'client_credentials' | 'authorization_code';
  readonly tokenUrl: string;
  readonly authorizationUrl?: string | undefined;
  readonly scopes: readonly string[];
}

/** What a provider of OpenID Connect says of itself. */
export const providerSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
});
export type OpenIdProvider = z.output<typeof providerSchema>;

const flow = z.looseObject({
  tokenUrl: z.string(),
  authorizationUrl: z.string().optional(),
  scopes: z.record(z.string(), z.unknown()).default({}),
});
const oauth2Schema = z.looseObject({
  type: z.literal('oauth2'),
  flows: z.looseObject({ clientCredentials: flow.optional(), authorizationCode: flow.optional() }),
});
const openIdSchema = z.looseObject({
  type: z.literal('openIdConnect'),
  openIdConnectUrl: z.string().default(''),
  authorizationEndpoint: z.string().optional(),
  tokenEndpoint: z.string().optional(),
  grantTypesSupported: z.array(z.string()).default([]),
  scopes: z.array(z.string()).default(['openid']),
});

/**
 * Where a scheme has its tokens; `discover` reads what an OpenID provider says of itself, unless the scheme says it.
 * Nothing for a scheme without a flow in which a code, or the client alone, is given a token.
 */
export async function oauthEndpointsOf(
  scheme: SecurityScheme,
  discover: (url: string) => Promise<OpenIdProvider>,
): Promise<OAuthEndpoints | undefined> {
  const oauth2 = oauth2Schema.safeParse(scheme).data;
  if (oauth2) return ofFlows(oauth2.flows);
  const openId = openIdSchema.safeParse(scheme).data;
  if (!openId) return undefined;
  const { authorizationEndpoint, tokenEndpoint, openIdConnectUrl, grantTypesSupported, scopes } = openId;
  const grant = grantTypesSupported.includes('client_credentials')
    ? 'client_credentials'
    : 'authorization_code';
  if (tokenEndpoint !== undefined) {
    return { grant, tokenUrl: tokenEndpoint, authorizationUrl: authorizationEndpoint, scopes };
  }
  const provider = await discover(openIdConnectUrl);
  return {
    ...{ grant, scopes },
    tokenUrl: provider.token_endpoint,
    authorizationUrl: provider.authorization_endpoint,
  };
}

/** What needs nobody's consent comes first, as ADK has it. */
function ofFlows({
  clientCredentials,
  authorizationCode,
}: z.output<typeof oauth2Schema>['flows']): OAuthEndpoints | undefined {
  const chosen = clientCredentials ?? authorizationCode;
  return (
    chosen && {
      grant: clientCredentials ? 'client_credentials' : 'authorization_code',
      tokenUrl: chosen.tokenUrl,
      authorizationUrl: chosen.authorizationUrl,
      scopes: Object.keys(chosen.scopes),
    }
  );
}
