import { type AuthCredential } from '@skein/engine';
import { aContext, call, seen } from '../../test/api-server';

describe('credentials', () => {
  const schemes = {
    headerKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
    queryKey: { type: 'apiKey', in: 'query', name: 'key' },
    cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer' },
    oauth: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://a.example', scopes: {} } } },
    oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/.well-known' },
  };
  const key: AuthCredential = { authType: 'apiKey', apiKey: 'k y' };
  const token: AuthCredential = { authType: 'http', http: { scheme: 'bearer', credentials: { token: 't' } } };
  const more = { components: { securitySchemes: schemes } };
  const secured = (...security: Record<string, string[]>[]) => ({ security });

  it.each<[keyof typeof schemes, AuthCredential, object]>([
    ['headerKey', key, { headers: { 'x-key': 'k y' } }],
    ['queryKey', key, { url: '/v1/x?key=k+y' }],
    ['cookieKey', key, { headers: { cookie: 'sid=k%20y' } }],
    [
      'basic',
      { authType: 'http', http: { scheme: 'basic', credentials: { username: 'u', password: 'p' } } },
      { headers: { authorization: 'Basic dTpw' } },
    ],
    ['bearer', token, { headers: { authorization: 'Bearer t' } }],
    [
      'oauth',
      { authType: 'oauth2', oauth2: { accessToken: 'o' } },
      { headers: { authorization: 'Bearer o' } },
    ],
    ['oidc', token, { headers: { authorization: 'Bearer t' } }],
  ])('of scheme %s stand where it says', async (name, credential, expected) => {
    const { request } = await call(
      secured({ [name]: [] }),
      {},
      { more, credentials: { [name]: credential } },
    );

    expect(request).toMatchObject(expected);
  });

  it('that are needed together are sent together; of two ways in the one that is there is taken', async () => {
    const both = await call(
      secured({ headerKey: [], bearer: [] }),
      {},
      { more, credentials: { headerKey: key, bearer: token } },
    );
    const one = await call(
      secured({ oauth: [] }, { queryKey: [] }),
      {},
      { more, credentials: { queryKey: key } },
    );

    expect(both.request?.headers).toMatchObject({ 'x-key': 'k y', authorization: 'Bearer t' });
    expect(one.request?.url).toBe('/v1/x?key=k+y');
  });

  it('that nobody has are asked of the user, and used once he gave them (B35)', async () => {
    const context = aContext();
    const raw: AuthCredential = { authType: 'oauth2', oauth2: { clientId: 'id', clientSecret: 'hush' } };
    const options = { more, credentials: { oauth: raw } };

    const asked = await call(secured({ oauth: [] }), {}, { ...options, context });

    expect(asked.answer).toEqual({ pending: true, message: expect.any(String) });
    expect(seen).toHaveLength(0);
    expect(context.actions.requestedAuthConfigs).toMatchObject({
      'c-1': { authScheme: { type: 'oauth2' }, credentialKey: 'openapi_oauth' },
    });
    expect(JSON.stringify(context.actions)).not.toContain('hush');
    const given = aContext({ 'temp:openapi_oauth': { authType: 'oauth2', oauth2: { accessToken: 'o' } } });
    const { request } = await call(secured({ oauth: [] }), {}, { ...options, context: given });
    expect(request?.headers.authorization).toBe('Bearer o');
  });

  it('of a user bring no other headers along: they could take the place of the author’s', async () => {
    const credentials = { headerKey: key };
    const http = {
      scheme: 'bearer',
      credentials: { token: 't' },
      additionalHeaders: { 'x-key': 'theirs', 'x-admin': '1' },
    };
    const context = aContext({ 'temp:openapi_bearer': { authType: 'http', http } });

    const { request } = await call(
      secured({ headerKey: [], bearer: [] }),
      {},
      { more, credentials, context },
    );

    expect(request?.headers).toMatchObject({ authorization: 'Bearer t', 'x-key': 'k y' });
    expect(request?.headers).not.toHaveProperty('x-admin');
  });

  it('that are no use to the scheme are told without showing them', async () => {
    const code = aContext({ 'temp:openapi_oauth': { authType: 'oauth2', oauth2: { authCode: 'hush' } } });
    const wrong = { authType: 'apiKey', apiKey: 'hush\nhush' } as const;

    const failures = await Promise.all([
      call(secured({ oauth: [] }), {}, { more, context: code }).catch((thrown: unknown) => thrown),
      call(secured({ headerKey: [] }), {}, { more, credentials: { headerKey: wrong } }).catch(
        (thrown: unknown) => thrown,
      ),
    ]);

    for (const failure of failures) {
      expect(failure).toMatchObject({
        code: 'openapi.credential',
        message: expect.not.stringContaining('hush'),
      });
    }
    expect(seen).toHaveLength(0);
  });

  it('may be of a scheme that the document does not know', async () => {
    const { request } = await call(
      {},
      {},
      { authScheme: { type: 'apiKey', in: 'header', name: 'X-Own' }, authCredential: key },
    );

    expect(request?.headers['x-own']).toBe('k y');
  });
});
