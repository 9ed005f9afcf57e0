import { type AuthCredential, type Context } from '@skein/engine';
import { AuthorizationServer } from '@skein/testing';
import { aContext, aDocument, aToolset } from '../../test/api-server';
import { type OpenAPIToolset } from '../openapi/openapi-toolset';

let server: AuthorizationServer;

beforeEach(async () => {
  server = await AuthorizationServer.start();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await server.stop();
});

const USER = 'authorizationCode';
const CLIENT = 'clientCredentials';

/** One tool, `mine`, that needs a token of the server. */
function toolsetOf(scheme: object, credential: AuthCredential = server.credential()): OpenAPIToolset {
  const mine = { operationId: 'mine', security: [{ login: [] }] };
  const document = aDocument(
    { '/mine': { get: mine } },
    { servers: [{ url: `${server.origin}/api` }], components: { securitySchemes: { login: scheme } } },
  );
  return aToolset(document, { allow: [server.origin], credentials: { login: credential } });
}

const scheme = (flow: string, more: object = {}) => ({
  type: 'oauth2',
  flows: { [flow]: { ...server.endpoints, ...more } },
});

async function mine(toolset: OpenAPIToolset, context: Context): Promise<unknown> {
  return toolset.getTool('mine')?.runAsync({ args: {}, toolContext: context });
}

/** What the user's client is asked for by a call. */
function askedIn({ actions }: Context): Record<string, unknown> {
  const asked = actions.requestedAuthConfigs['c-1'] as
    { exchangedAuthCredential?: { oauth2?: Record<string, unknown> } } | undefined;
  return asked?.exchangedAuthCredential?.oauth2 ?? {};
}

/** The state of a session in which a user gave this answer. */
const answered = (oauth2: object, kept: object = {}) => ({
  ...kept,
  'temp:openapi_login': { authType: 'oauth2', oauth2 },
});

/** A session whose user said yes, as its state is after the first call. */
async function consented(
  toolset: OpenAPIToolset,
): Promise<{ answer: unknown; kept: Record<string, unknown> }> {
  const first = aContext();
  await mine(toolset, first);
  const authResponseUri = await server.consent(askedIn(first).authUri);
  const second = aContext(answered({ authResponseUri }));
  const answer = await mine(toolset, second);
  return { answer, kept: second.actions.stateDelta };
}

describe('a token of a client of its own', () => {
  it('is got once, and again when it is about to end', async () => {
    const toolset = toolsetOf(scheme(CLIENT));

    const answers = await Promise.all([1, 2, 3].map(() => mine(toolset, aContext())));
    expect(server.grants).toEqual(['client_credentials']);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_590_000);
    answers.push(await mine(toolset, aContext()));

    expect(answers).toEqual(answers.map(() => ({ pets: 2 })));
    expect(server.grants).toHaveLength(2);
  });

  it('is got anew by the next call after the API would not have it', async () => {
    const toolset = toolsetOf(scheme(CLIENT));
    await mine(toolset, aContext());
    server.revokeAccess();

    const refused = await mine(toolset, aContext());
    const next = await mine(toolset, aContext());

    expect(refused).toMatchObject({ status: 401 });
    expect(next).toEqual({ pets: 2 });
  });

  it('may be asked for with a header, as the author says', async () => {
    const credential = server.credential({ tokenEndpointAuthMethod: 'client_secret_basic' });

    expect(await mine(toolsetOf(scheme(CLIENT), credential), aContext())).toEqual({ pets: 2 });
  });

  it('that is refused is told in a word, without what was sent', async () => {
    const toolset = toolsetOf(scheme(CLIENT), server.credential({ clientSecret: 'WRONG-SECRET' }));

    const failure = await mine(toolset, aContext()).catch((thrown: unknown) => thrown);

    expect(failure).toMatchObject({ code: 'oauth.refused', kind: 'denied' });
    expect(String(failure)).toMatch(/invalid_client/);
    expect(String(failure)).not.toContain('SECRET');
  });

  it('of a server that is overloaded is asked for another time', async () => {
    server.override = (response) => void response.status(503).end();

    await expect(mine(toolsetOf(scheme(CLIENT)), aContext())).rejects.toMatchObject({
      ...{ code: 'oauth.unavailable', kind: 'unavailable' },
    });
  });
});

describe('a token of a user', () => {
  it('is asked for where he can consent, and his code is exchanged (B35)', async () => {
    const toolset = toolsetOf(scheme(USER));
    const first = aContext();

    const pending = await mine(toolset, first);
    const { answer } = await consented(toolset);

    expect(pending).toMatchObject({ pending: true });
    const asked = new URL(String(askedIn(first).authUri));
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      ...{
        client_id: 'skein',
        redirect_uri: 'https://app.example/back',
        scope: 'read',
        response_type: 'code',
      },
      state: askedIn(first).state,
    });
    expect(answer).toEqual({ pets: 2 });
  });

  it('is kept in the session, where nobody but the author reads it (B65)', async () => {
    const toolset = toolsetOf(scheme(USER));
    const { kept } = await consented(toolset);

    const later = await mine(toolsetOf(scheme(USER)), aContext(kept));

    expect(later).toEqual({ pets: 2 });
    expect(server.grants).toEqual(['authorization_code']);
    expect(JSON.stringify(kept)).not.toMatch(/ACCESS|REFRESH|SECRET/);
  });

  it('is nothing to another user, nor with another secret, nor when it was changed', async () => {
    const { kept } = await consented(toolsetOf(scheme(USER)));
    const [key = ''] = Object.keys(kept);
    const sealed = String(kept[key]);
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    const bob = Object.defineProperty(aContext(kept), 'userId', { value: 'bob' });
    const others = toolsetOf(scheme(USER), server.credential({ clientSecret: 'another' }));

    const answers = [
      await mine(toolsetOf(scheme(USER)), bob),
      await mine(others, aContext(kept)),
      await mine(toolsetOf(scheme(USER)), aContext({ [key]: changed })),
      await mine(toolsetOf(scheme(USER)), aContext({ [key]: 'made up' })),
    ];

    expect(answers).toEqual(answers.map(() => expect.objectContaining({ pending: true }) as unknown));
  });

  it('is refreshed when it is about to end, and the new one is kept', async () => {
    const toolset = toolsetOf(scheme(USER));
    const { kept } = await consented(toolset);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_590_000);
    const context = aContext(kept);

    const answers = [await mine(toolset, context)];
    answers.push(await mine(toolsetOf(scheme(USER)), aContext(context.actions.stateDelta)));

    expect(answers).toEqual([{ pets: 2 }, { pets: 2 }]);
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('that can be refreshed no more is asked for anew', async () => {
    const { kept } = await consented(toolsetOf(scheme(USER)));
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_590_000);
    server.override = (response) => void response.status(400).json({ error: 'invalid_grant' });

    expect(await mine(toolsetOf(scheme(USER)), aContext(kept))).toMatchObject({ pending: true });
  });

  it.each([true, false])(
    'that ends early is refreshed by the next call, each time, and the user is not asked (rotating: %s)',
    async (isRotating) => {
      server.isRotating = isRotating;
      const toolset = toolsetOf(scheme(USER));
      let { kept } = await consented(toolset);
      const answers: unknown[] = [];

      for (const minutes of [0, 2, 2]) {
        jest.spyOn(Date, 'now').mockReturnValue(Date.now() + minutes * 60_000);
        server.revokeAccess();
        for (let call = 1; call <= 3; call++) {
          const context = aContext(kept);
          answers.push(await mine(toolset, context));
          kept = { ...kept, ...context.actions.stateDelta };
        }
      }

      const round = [expect.objectContaining({ status: 401 }), { pets: 2 }, { pets: 2 }];
      expect(answers).toEqual([...round, ...round, ...round]);
      expect(server.grants).toEqual(['authorization_code', ...Array<string>(3).fill('refresh_token')]);
    },
  );

  it('that the API would not have, though it was just refreshed, is asked for anew', async () => {
    const toolset = toolsetOf(scheme(USER));
    let { kept } = await consented(toolset);
    const answers: unknown[] = [];

    for (let call = 1; call <= 3; call++) {
      const context = aContext(kept);
      server.override = (response) => void response.json({ access_token: 'of another API' });
      server.revokeAccess();
      answers.push(await mine(toolset, context));
      kept = { ...kept, ...context.actions.stateDelta };
    }

    const refused = expect.objectContaining({ status: 401 }) as unknown;
    expect(answers).toEqual([refused, refused, expect.objectContaining({ pending: true })]);
  });

  it('that the API would not have and that cannot be refreshed is asked for anew by the next call, and its code not sent again', async () => {
    const toolset = toolsetOf(scheme(USER));
    const first = aContext();
    await mine(toolset, first);
    const oauth2 = { authResponseUri: await server.consent(askedIn(first).authUri) };
    const second = aContext(answered(oauth2));
    await mine(toolset, second);
    server.revokeAccess();

    const third = aContext(answered(oauth2, second.actions.stateDelta));
    const refused = await mine(toolset, third);
    server.override = (response) => void response.status(400).json({ error: 'invalid_grant' });
    const fourth = await mine(toolset, aContext(answered(oauth2, third.actions.stateDelta)));

    expect(refused).toMatchObject({ status: 401 });
    expect(fourth).toMatchObject({ pending: true });
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('is shared by calls that were given one code at the same time', async () => {
    const toolset = toolsetOf(scheme(USER));
    const first = aContext();
    await mine(toolset, first);
    const given = answered({ authResponseUri: await server.consent(askedIn(first).authUri) });

    const answers = await Promise.all([1, 2].map(() => mine(toolset, aContext(given))));

    expect(answers).toEqual([{ pets: 2 }, { pets: 2 }]);
    expect(server.grants).toHaveLength(1);
  });

  it('is bound to who asked for it, where the author says so (PKCE)', async () => {
    const { answer } = await consented(
      toolsetOf(scheme(USER), server.credential({ codeChallengeMethod: 'S256' })),
    );

    expect(answer).toEqual({ pets: 2 });
  });

  it('is not got by an answer to another question', async () => {
    const toolset = toolsetOf(scheme(USER));
    const first = aContext();
    await mine(toolset, first);
    const back = new URL(await server.consent(askedIn(first).authUri));
    back.searchParams.set('state', 'of an attacker');

    const given = aContext(answered({ authResponseUri: back.href }));

    await expect(mine(toolset, given)).rejects.toMatchObject({ code: 'oauth.refused' });
    expect(server.grants).toEqual([]);
  });

  it('is not got by a user who names a client of his own: the author’s secret goes with the author’s id', async () => {
    const toolset = toolsetOf(scheme(USER));
    const first = aContext();
    await mine(toolset, first);
    const authResponseUri = await server.consent(askedIn(first).authUri);
    const theirs = { clientId: 'evil', clientSecret: 'evil', redirectUri: 'https://evil.example' };

    const answer = await mine(toolset, aContext(answered({ authResponseUri, ...theirs })));

    expect(answer).toEqual({ pets: 2 });
  });

  it('is got by OpenID Connect too, where its provider says', async () => {
    const openIdConnectUrl = `${server.origin}/.well-known/openid-configuration`;

    const { answer } = await consented(toolsetOf({ type: 'openIdConnect', openIdConnectUrl }));

    expect(answer).toEqual({ pets: 2 });
  });
});

describe('row 24: a token endpoint', () => {
  const reach = (tokenUrl: string) => mine(toolsetOf(scheme(CLIENT, { tokenUrl })), aContext());

  it.each([
    ...['https://169.254.169.254/token', 'https://[::ffff:7f00:1]/token', 'https://localhost/token'],
    ...['https://10.0.0.1/token', 'https://2130706433/token'],
  ])('at %s is not reached', async (tokenUrl) => {
    await expect(reach(tokenUrl)).rejects.toMatchObject({ code: 'egress.blocked' });
  });

  it.each(['http://example.com/token', 'file:///etc/passwd', '/token', ''])(
    'that is not to be reached by https gets no secret: %j',
    async (tokenUrl) => {
      await expect(reach(tokenUrl)).rejects.toMatchObject({ code: 'oauth.refused' });
    },
  );

  it('that sends on is not followed, wherever to', async () => {
    server.override = (response) => response.redirect(307, `${server.origin}/elsewhere`);

    await expect(reach(server.endpoints.tokenUrl)).rejects.toMatchObject({ code: 'egress.redirects' });
  });

  it.each([
    [
      'too much',
      (response: { send(body: string): unknown }) => void response.send('x'.repeat(100_000)),
      'egress.too-large',
    ],
    ['no JSON', (response: { send(body: string): unknown }) => void response.send('<html>'), 'oauth.refused'],
    [
      'another kind of token',
      (response: { send(body: object): unknown }) =>
        void response.send({ access_token: 'x', token_type: 'mac' }),
      'oauth.refused',
    ],
    [
      'no token',
      (response: { send(body: object): unknown }) => void response.send({ access_token: 7 }),
      'oauth.refused',
    ],
  ])('that answers %s gives none', async (_what, override, code) => {
    server.override = override;

    await expect(reach(server.endpoints.tokenUrl)).rejects.toMatchObject({ code });
  });

  it('is not taken from a provider that says it is another one', async () => {
    const openIdConnectUrl = `${server.origin}/.well-known/openid-configuration?`;
    const toolset = toolsetOf({ type: 'openIdConnect', openIdConnectUrl });

    await expect(mine(toolset, aContext())).rejects.toMatchObject({ code: 'oauth.refused' });
  });
});
