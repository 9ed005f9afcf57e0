import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const SCHEME = { in: 'header', name: 'X-Key', type: 'apiKey' };

/** A tool that needs a credential under this key; it shows only how long the secrets are it got. */
const FETCH = `
const config = (credentialKey) => ({
  credentialKey,
  authScheme: ${JSON.stringify(SCHEME)},
  rawAuthCredential: { authType: 'oauth2', oauth2: { clientId: 'me', clientSecret: 'hush' } },
});
const fetches = (name) => tool(name, (_args, context) => {
  const credential = context.getAuthResponse(config(name));
  if (!credential) {
    context.requestCredential(config(name));
    return { status: 'needs a credential' };
  }
  return { secret: credential.oauth2.clientSecret.length, token: credential.oauth2.accessToken.length };
});`;

function request(credentialKey: string, functionCallId: string): string {
  const rawAuthCredential = { oauth2: { clientId: 'me' }, authType: 'oauth2' };
  const authConfig = { authScheme: SCHEME, credentialKey, rawAuthCredential };
  return `adk_request_credential(${JSON.stringify({ authConfig, functionCallId })})`;
}

function given(credentialKey: string): Record<string, unknown> {
  return {
    credentialKey,
    exchangedAuthCredential: { authType: 'oauth2', oauth2: { accessToken: 'abcdefg' } },
  };
}

/** Tools that need a credential of their user. */
export const authCases: readonly ConformanceCase[] = [
  {
    name: 'credential',
    says: 'asks its user for a credential, runs the call with it, and stores no secret (B20, B35, B65)',
    source: rootAgentFile(
      `agent('root', [says(calls('mail', {}, 'c1')), says('Read.'), says('Again.')], { tools: [fetches('mail')] })`,
      FETCH,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'adk_request_credential', response: given('mail') } }],
    expect: {
      turns: [
        [
          'root: mail({})',
          `root: ${request('mail', 'c1')} [waits]`,
          'root: mail -> {"status":"needs a credential"}',
        ],
        ['root: mail -> {"token":7,"secret":4}', 'root: Read.'],
      ],
      stored: [
        'user: go',
        'root: mail({})',
        `root: ${request('mail', 'c1')} [waits]`,
        'root: mail -> {"status":"needs a credential"}',
        'user: adk_request_credential -> {}',
        'root: mail -> {"token":7,"secret":4}',
        'root: Read.',
      ],
      asked: [['user: go'], ['user: go', 'model: mail({})', 'user: mail -> {"token":7,"secret":4}']],
      state: {},
    },
  },
  {
    name: 'credentials_of_two',
    says: 'asks for the credentials of two calls in one event, and runs the call that was answered only (B35)',
    source: rootAgentFile(
      `agent('root', [says(calls('mail', {}, 'c1'), calls('disk', {}, 'c2')), says('Half.')], {
        tools: [fetches('mail'), fetches('disk')],
      })`,
      FETCH,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'adk_request_credential', nth: 1, response: given('disk') } }],
    expect: {
      turns: [
        [
          'root: mail({}) + disk({})',
          `root: ${request('mail', 'c1')} + ${request('disk', 'c2')} [waits]`,
          'root: mail -> {"status":"needs a credential"} + disk -> {"status":"needs a credential"}',
        ],
        ['root: disk -> {"token":7,"secret":4}', 'root: Half.'],
      ],
      asked: [
        ['user: go'],
        [
          'user: go',
          'model: mail({}) + disk({})',
          'user: mail -> {"status":"needs a credential"} + disk -> {"token":7,"secret":4}',
        ],
      ],
    },
  },
  {
    name: 'credential_of_toolset',
    says: 'asks for the credential of a toolset before it asks the model anything (B35)',
    source: rootAgentFile(
      `agent('root', [says(calls('f')), says('Done.')], { tools: [new Locked()] })`,
      `${FETCH}
class Locked extends BaseToolset {
  getAuthConfig() { return config('box'); }
  async getTools(context) {
    const opened = context.getAuthResponse(config('box'));
    return opened ? [tool('f', () => 'opened')] : [];
  }
}`,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'adk_request_credential', response: given('box') } }],
    expect: {
      turns: [
        [`root: ${request('box', '_adk_toolset_auth_box')} [waits]`],
        ['root: f({})', 'root: f -> {"result":"opened"}', 'root: Done.'],
      ],
      asked: [['user: go'], ['user: go', 'model: f({})', 'user: f -> {"result":"opened"}']],
    },
  },
];
