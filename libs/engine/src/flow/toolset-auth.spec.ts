import { type Content, type Event } from '@skein/contracts';
import { FakeLlm, runTurn, text, type Turn } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type ReadonlyContext } from '../agent/readonly-context';
import { type AuthConfig, REQUEST_CREDENTIAL } from '../auth/auth-config';
import { getFunctionCalls } from '../event/function-parts';
import { type BaseTool } from '../tool/base-tool';
import { BaseToolset } from '../tool/base-toolset';
import { FunctionTool } from '../tool/function-tool';

const authConfig: AuthConfig = {
  authScheme: { type: 'apiKey', in: 'header', name: 'X-Key' },
  rawAuthCredential: { authType: 'oauth2', oauth2: { clientId: 'id', clientSecret: 'secret' } },
  credentialKey: 'calendar',
};

class LockedToolset extends BaseToolset {
  readonly keys: unknown[] = [];

  override getAuthConfig(): AuthConfig {
    return authConfig;
  }

  override async getTools(context: ReadonlyContext): Promise<readonly BaseTool[]> {
    this.keys.push(context.getAuthResponse(authConfig)?.apiKey);
    return [new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 1 })];
  }
}

function anAgent() {
  const model = new FakeLlm([[text('done')]]);
  const toolset = new LockedToolset();
  return { model, toolset, agent: new LlmAgent({ name: 'root', model, tools: [toolset] }) };
}

function answerTo(events: readonly Event[]): Content {
  const [call] = events.flatMap(getFunctionCalls);
  const exchangedAuthCredential = { authType: 'apiKey', apiKey: 'k' };
  const response = { ...authConfig, exchangedAuthCredential };
  return {
    role: 'user',
    parts: [{ functionResponse: { id: call?.id ?? '', name: REQUEST_CREDENTIAL, response } }],
  };
}

function goOn(agent: LlmAgent, turn: Turn): Promise<Turn> {
  return runTurn(agent, { session: turn.session, said: answerTo(turn.events), segment: 1 });
}

describe('a toolset that needs a credential (B35)', () => {
  it('has the user asked before the model is, and the turn ends there', async () => {
    const { agent, model, toolset } = anAgent();

    const { events } = await runTurn(agent);

    expect(events.flatMap(getFunctionCalls)).toMatchObject([
      { name: REQUEST_CREDENTIAL, args: { authConfig: { credentialKey: 'calendar' } } },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
    expect([model.requests.length, toolset.keys]).toEqual([0, []]);
  });

  it('gives its tools once the credential is there, which is stored nowhere (B65)', async () => {
    const { agent, model, toolset } = anAgent();

    const turn = await goOn(agent, await runTurn(agent));

    expect(toolset.keys).toEqual(['k']);
    expect(Object.keys(model.requests[0]?.toolsDict ?? {})).toEqual(['f']);
    expect(turn.events.at(-1)?.content?.parts).toEqual([{ text: 'done' }]);
    expect(JSON.stringify(turn.session.events)).not.toContain('"apiKey":"k"');
  });
});
