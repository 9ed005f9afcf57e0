import path from 'node:path';
import { type Event } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { McpServer } from '../support/mcp-server';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const STDIO_SERVER = path.join(__dirname, '../support/mcp-stdio-server.mjs');

const HEAD = `
import { LlmAgent, MCPToolset, ScriptedLlm } from '@skein/adk';
const calls = (name, args) => ({ content: { role: 'model', parts: [{ functionCall: { name, args } }] } });
const done = { content: { role: 'model', parts: [{ text: 'done' }] } };
const agent = (params, name, args = {}) =>
  new LlmAgent({
    name: 'caller',
    tools: [new MCPToolset(params)],
    model: new ScriptedLlm({ responses: [calls(name, args), done] }),
  });
const retry = { maxAttempts: 100, backoffMs: 200, maxBackoffMs: 500 };
`;

const LONG = `'trigger-long-running-operation', { duration: 3, steps: 30 }`;

/** Its author asks for patience; the server says of the tool that it may be repeated. */
const patient = ({ connectionParams, origin }: McpServer): string => `${HEAD}
const params = { connectionParams: ${JSON.stringify(connectionParams)}, allow: ['${origin}'], toolOptions: { retry } };
export const rootAgent = agent(params, ${LONG});`;

/** Of \`wait\` its server says nothing. */
const careless = (toolOptions = ''): string => `${HEAD}
const serverParams = { command: process.execPath, args: [${JSON.stringify(STDIO_SERVER)}] };
const connectionParams = { type: 'StdioConnectionParams', serverParams };
export const rootAgent = agent({ connectionParams${toolOptions} }, 'wait');`;

/** What tools told of how far they are, as it reached the client. */
function progressIn(events: readonly Event[]): { progress: number; total?: number; message?: string }[] {
  return events.flatMap(({ partial, content }) =>
    (content?.parts ?? []).flatMap(({ functionResponse }) =>
      partial && functionResponse?.willContinue ? [functionResponse.response?.progress as never] : [],
    ),
  );
}

function answerIn(events: readonly Event[]): unknown {
  const whole = events.filter(({ partial }) => partial !== true);
  return whole.flatMap(({ content }) => content?.parts ?? []).find((part) => part.functionResponse)
    ?.functionResponse?.response;
}

describe('a call of an MCP tool whose server is killed in the middle of it', () => {
  const servers: McpServer[] = [];
  let skein: Skein;

  beforeAll(async () => {
    servers.push(await McpServer.start('streamableHttp'), await McpServer.start('sse'));
    const [http, sse] = servers as [McpServer, McpServer];
    const agents = {
      streamableHttp: patient(http),
      sse: patient(sse),
      silent: careless(),
      repeatable: careless(`, toolOptions: { sideEffect: 'idempotent', timeoutMs: 120_000 }`),
    };
    skein = await Skein.start({ agents });
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    await Promise.all(servers.map((server) => server.kill()));
  }, 60_000);

  /** A turn in a stream, and what of it has come so far. */
  async function begin(app: string): Promise<{ seen: Event[]; whole: Promise<unknown>; client: Client }> {
    const client = new Client(skein.url, app);
    await client.createSession('s');
    const seen: Event[] = [];
    const whole = client.runSse('s', 'go', {}, ({ data }) => seen.push(data));
    return { seen, whole, client };
  }

  it.each([
    ['streamableHttp', 0],
    ['sse', 1],
  ])(
    'over %s is made again once the server is back, as its policy says; its progress reaches the client',
    async (app, at) => {
      const server = servers[at];
      const { seen, whole, client } = await begin(app);

      await waitUntil('the server to tell how far it is', () => progressIn(seen).length > 2, 30_000);
      await server?.kill();
      const before = progressIn(seen).length;
      await server?.start();
      await whole;

      expect(progressIn(seen)[0]).toMatchObject({ total: 30 });
      // The second attempt tells anew.
      const again = progressIn(seen).slice(before);
      expect(again.map(({ progress }) => progress).sort((one, other) => one - other)[0]).toBeLessThan(5);
      expect(JSON.stringify(answerIn(seen))).toContain('Long running operation completed');
      expect(textOf(seen.at(-1))).toBe('done');
      const { events } = await client.getSession('s');
      expect(events.map((event) => Object.keys(event.content?.parts?.[0] ?? {})[0])).toEqual([
        'text',
        'functionCall',
        'functionResponse',
        'text',
      ]);
    },
    60_000,
  );

  it('and that nobody says may be repeated is not: the model reads that its outcome is unknown', async () => {
    const { seen, whole } = await begin('silent');

    const pid = await waitUntil('the call to be in the server', () => pidIn(seen), 30_000);
    process.kill(pid, 'SIGKILL');
    await whole;

    const error = expect.stringMatching(/went away before it answered.*took effect is not known/) as string;
    expect(answerIn(seen)).toEqual({ error });
    expect(new Set(progressIn(seen).map(({ message }) => message)).size).toBe(1);
    expect(textOf(seen.at(-1))).toBe('done');
  }, 60_000);

  it('and that its author says may be repeated is made again, in a new process of the server', async () => {
    const { seen, whole, client } = await begin('repeatable');

    const pid = await waitUntil('the call to be in the server', () => pidIn(seen), 30_000);
    process.kill(pid, 'SIGKILL');
    await waitUntil('the next attempt', () => pidIn(seen) !== pid && pidIn(seen), 30_000);

    const [{ invocationId } = { invocationId: '' }] = seen;
    await client.request('POST', `${client.sessionPath('s')}/invocations/${invocationId}/cancel`);
    await whole;
  }, 60_000);

  function pidIn(seen: readonly Event[]): number | undefined {
    const last = progressIn(seen).at(-1)?.message;
    return last === undefined ? undefined : Number(/\d+/.exec(last)?.[0]);
  }
});
