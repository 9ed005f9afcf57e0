import { type AuthConfig } from './auth-config';
import { redactAuthConfig, redactCredentials } from './redact-auth-config';

const authScheme = { type: 'apiKey', in: 'header', name: 'X-Key' };

describe('redactAuthConfig', () => {
  it.each<[string, AuthConfig['rawAuthCredential']]>([
    ['an API key', { authType: 'apiKey', apiKey: 'SECRET' }],
    ['a password', { authType: 'http', http: { scheme: 'basic', credentials: { password: 'SECRET' } } }],
    [
      'a header',
      {
        authType: 'http',
        http: { scheme: 'x', credentials: {}, additionalHeaders: { authorization: 'SECRET' } },
      },
    ],
    ['a private key', { authType: 'serviceAccount', serviceAccount: { key: { private_key: 'SECRET' } } }],
    [
      'an OAuth field nobody knows',
      { authType: 'oauth2', oauth2: { pkceVerifier: 'SECRET', clientId: 'c' } },
    ],
  ])('drops %s (B65)', (_what, rawAuthCredential) => {
    const redacted = redactAuthConfig({ authScheme, credentialKey: 'k', rawAuthCredential });

    expect(JSON.stringify(redacted)).not.toContain('SECRET');
    expect(redacted).toMatchObject({ authScheme, credentialKey: 'k' });
  });
});

describe('redactCredentials', () => {
  it('keeps of an answer only which call it is for (B65)', () => {
    const response = { exchangedAuthCredential: { apiKey: 'SECRET' }, note: 'SECRET' };
    const functionResponse = { id: 'r', name: 'adk_request_credential', response };

    const redacted = redactCredentials({ role: 'user', parts: [{ functionResponse }] });

    expect(redacted.parts).toEqual([
      { functionResponse: { id: 'r', name: 'adk_request_credential', response: {} } },
    ]);
  });

  it('leaves everything else as it is, the very content', () => {
    const content = { role: 'user', parts: [{ text: 'my password is x' }] };

    expect(redactCredentials(content)).toBe(content);
  });
});
