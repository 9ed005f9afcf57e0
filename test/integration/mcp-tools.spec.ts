import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type Event } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { McpServer } from '../support/mcp-server';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const STDIO_SERVER = path.join(__dirname, '../support/mcp-stdio-server.mjs');

const HEAD = `
import { LlmAgent, MCPToolset, ScriptedLlm } from '@skein/adk';

const says = (text) => ({ content: { role: 'model', parts: [{ text }] } });
const calls = (name, args) => ({ content: { role: 'model', parts: [{ functionCall: { name, args } }] } });
const agent = (toolset, name, args = {}) =>
  new LlmAgent({
    name: 'caller',
    tools: [toolset],
    model: new ScriptedLlm({ responses: [1, 2, 3, 4].flatMap(() => [calls(name, args), says('done')]) }),
  });
`;

const STDIO = `${HEAD}
const connectionParams = {
  type: 'StdioConnectionParams',
  serverParams: { command: process.execPath, args: [${JSON.stringify(STDIO_SERVER)}] },
};
export const rootAgent = agent(new MCPToolset(connectionParams, [], 'mine'), 'mine_pid');
`;

function httpAgent({ url, origin }: McpServer, call: string, more = ''): string {
  return `${HEAD}
const connectionParams = { type: 'StreamableHTTPConnectionParams', url: ${JSON.stringify(url)} };
const toolset = new MCPToolset({ connectionParams, allow: [${JSON.stringify(origin)}], ${more} });
export const rootAgent = agent(toolset, ${call});
`;
}

function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What the tool of a turn answered. */
function responseIn(events: readonly Event[]): unknown {
  return events.flatMap(({ content }) => content?.parts ?? []).find((part) => part.functionResponse)
    ?.functionResponse?.response;
}

function pidIn(events: readonly Event[]): number {
  return Number(/"text":"(\d+)"/.exec(JSON.stringify(responseIn(events)))?.[1]);
}

function text(words: string): unknown {
  return { content: [{ type: 'text', text: words }] };
}

describe('the tools of MCP servers in a stack', () => {
  let skein: Skein;
  let server: McpServer;

  beforeAll(async () => {
    server = await McpServer.start('streamableHttp');
    const agents = {
      stdio: STDIO,
      http: httpAgent(server, `'echo', { message: 'hi' }`, 'listCacheMs: 1'),
      slow: httpAgent(server, `'trigger-long-running-operation', { duration: 2, steps: 20 }`),
    };
    skein = await Skein.start({ agents, env: { ACK_WAIT_MS: '2000' } });
  }, 120_000);

  afterAll(async () => {
    await server?.kill();
    await skein?.stop();
  }, 60_000);

  async function say(app: string, sessionId: string): Promise<Event[]> {
    const client = new Client(skein.url, app);
    const { body } = await client.run(sessionId, 'go');
    expect(textOf(body.at(-1))).toBe('done');
    return body;
  }

  async function begin(app: string, sessionId: string): Promise<Client> {
    const client = new Client(skein.url, app);
    await client.createSession(sessionId);
    return client;
  }

  it('are called by a tool worker, whose process the server is; it ends when that is killed, and comes again', async () => {
    await begin('stdio', 's');

    const first = pidIn(await say('stdio', 's'));
    const worker = parentOf(first);
    expect(skein.pidsOf('tool-worker')).toContain(worker);
    process.kill(worker, 'SIGKILL');
    await waitUntil('the server to end with its worker', () => !isAlive(first));

    const second = pidIn(await say('stdio', 's'));
    expect(second).not.toBe(first);
    expect(skein.pidsOf('tool-worker')).toContain(parentOf(second));
  }, 60_000);

  it('over HTTP go well before and after their server was killed; while it is away the agent goes on without', async () => {
    const client = await begin('http', 's');

    expect(responseIn(await say('http', 's'))).toEqual(text('Echo: hi'));
    await server.kill();
    const { body } = await client.run('s', 'go');
    // The model calls what it was not told of.
    expect(responseIn(body)).toMatchObject({ error: expect.stringContaining('echo') as string });
    await skein.untilLogged(/a toolset could not give its tools/);
    await server.start();
    await waitUntil('the tools to be back', async () => {
      const sessionId = `again-${performance.now()}`;
      await begin('http', sessionId);
      return JSON.stringify(responseIn(await say('http', sessionId))).includes('Echo: hi');
    });
  }, 90_000);

  it('may take their time; whoever reads the stream gets their answer on it', async () => {
    const client = await begin('slow', 's');

    const events = (await client.runSse('s', 'go')).map(({ data }) => data);

    const response = responseIn(events.filter(({ partial }) => !partial));
    expect(JSON.stringify(response)).toContain('Long running operation completed');
    expect(textOf(events.at(-1))).toBe('done');
  }, 60_000);

  it('leave no process behind when the stack ends', async () => {
    await begin('stdio', 'last');
    const pid = pidIn(await say('stdio', 'last'));

    await skein.stop();

    expect(isAlive(pid)).toBe(false);
  }, 60_000);
});
