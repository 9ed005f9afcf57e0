import { type Content, type Event } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const HEAD = `
import { AgentTool, BaseToolset, FunctionTool, LlmAgent, LocalCodeExecutor, ScriptedLlm } from '@skein/adk';

const says = (...parts) => ({ content: { role: 'model', parts } });
const calls = (name, args = {}) => ({ functionCall: { name, args } });
const pid = (name, more = {}) =>
  new FunctionTool({ name, description: '', execute: () => ({ pid: process.pid }), ...more });
const agent = (name, responses, more) =>
  new LlmAgent({ name, model: new ScriptedLlm({ responses: [...responses, says({ text: 'done' })] }), ...more });
`;

const CODE = `${HEAD}
export const rootAgent = agent('coder', [says({ text: '\`\`\`javascript\\nconsole.log(6 * 7)\\n\`\`\`' })], {
  codeExecutor: new LocalCodeExecutor({ timeoutMs: 10_000 }),
});
`;

const TOOLSET = `${HEAD}
class Files extends BaseToolset {
  async getTools() { return [pid('read'), pid('drop')]; }
}
export const rootAgent = agent('reader', [says(calls('fs_read'))], {
  tools: [new Files({ prefix: 'fs', toolFilter: ['read'] })],
});
`;

const NESTED = `${HEAD}
const execute = (_args, { state }) => state.set('expertPid', process.pid);
const expert = agent('expert', [says(calls('ask_expert'))], { tools: [pid('ask_expert', { execute })] });
const child = agent('child', [says(calls('expert', { request: 'say' }))], { tools: [new AgentTool({ agent: expert })] });
export const rootAgent = agent('lead', [says(calls('transfer_to_agent', { agentName: 'child' }))], {
  subAgents: [child],
});
`;

const CONFIRMED = `${HEAD}
const pay = new FunctionTool({
  name: 'pay',
  description: '',
  requireConfirmation: true,
  execute: (_args, { toolConfirmation }) => ({ pid: process.pid, limit: toolConfirmation.payload.limit }),
});
export const rootAgent = agent('payer', [says(calls('pay'))], { tools: [pay] });
`;

describe('what runs in a tool worker', () => {
  let skein: Skein;

  beforeAll(async () => {
    const agents = { coder: CODE, reader: TOOLSET, lead: NESTED, payer: CONFIRMED };
    skein = await Skein.start({ agents });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  async function play(app: string): Promise<{ client: Client; events: Event[] }> {
    const client = new Client(skein.url, app);
    await client.createSession('s');
    const { body } = await client.run('s', 'go');
    return { client, events: body };
  }

  function workersOf(events: readonly Event[]): (number | undefined)[] {
    return events.flatMap(({ customMetadata }) => {
      const executions = (customMetadata?.['skein.tools'] ?? []) as { pid: number }[];
      return executions.map(({ pid }) => pid);
    });
  }

  it('the code of a model', async () => {
    const { events } = await play('coder');

    expect(events[1]?.content?.parts).toEqual([
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42' } },
    ]);
    expect(skein.pidsOf('tool-worker')).toContain(workersOf(events)[0]);
    expect(textOf(events.at(-1))).toBe('done');
  });

  it("a toolset's tool, under the name its agent knows", async () => {
    const { events } = await play('reader');

    const response = events[1]?.content?.parts?.[0]?.functionResponse;
    expect(response?.name).toBe('fs_read');
    expect(skein.pidsOf('tool-worker')).toContain(response?.response?.pid);
  });

  it('a tool of an agent that is a tool of an agent below the root', async () => {
    const { client, events } = await play('lead');

    const { state } = await client.getSession('s');
    expect(skein.pidsOf('tool-worker')).toContain(state.expertPid);
    expect(events.at(-1)?.author).toBe('child');
    expect(textOf(events.at(-1))).toBe('done');
  });

  it('a call that a human allowed, with what he said to it (B33)', async () => {
    const { client, events } = await play('payer');
    const request = events[1]?.content?.parts?.[0]?.functionCall;
    const response = { confirmed: true, payload: { limit: 3 } };
    const newMessage: Content = {
      role: 'user',
      parts: [{ functionResponse: { id: request?.id ?? '', name: 'adk_request_confirmation', response } }],
    };

    const { body } = await client.run('s', '', { newMessage });

    const paid = body[0]?.content?.parts?.[0]?.functionResponse?.response;
    expect(paid?.limit).toBe(3);
    expect(skein.pidsOf('tool-worker')).toContain(paid?.pid);
    expect(textOf(body.at(-1))).toBe('done');
  });
});
