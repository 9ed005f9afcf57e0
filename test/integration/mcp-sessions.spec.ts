import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { MCPToolset } from '@skein/adk';
import { ScriptedMcpServer } from '../support/scripted-mcp-server';
import { aContext, call, closeToolsets, toolsetAt, toolsetOf } from './mcp-harness';

let server: ScriptedMcpServer;

beforeEach(async () => {
  server = await ScriptedMcpServer.start();
});

afterEach(async () => {
  await closeToolsets();
  await server.stop();
});

async function namesIn(toolset: MCPToolset): Promise<string[]> {
  return (await toolset.getTools()).map(({ name }) => name);
}

describe('row 24: an MCP server', () => {
  it.each([
    'http://127.0.0.1:1/mcp',
    'http://localhost/mcp',
    'http://169.254.169.254/mcp',
    'http://[::1]/sse',
  ])('at %s is not reached unless its author allows it', async (url) => {
    const http = new MCPToolset({ type: 'StreamableHTTPConnectionParams', url });
    const sse = new MCPToolset({ type: 'SSEConnectionParams', url });

    await expect(http.getTools()).rejects.toMatchObject({ code: 'egress.blocked' });
    await expect(sse.getTools()).rejects.toMatchObject({ code: 'egress.blocked' });
  });

  it('that sends on to a private address is not followed', async () => {
    const inside = await ScriptedMcpServer.start();
    server.answers = {
      initialize: (_message, response) =>
        void response.writeHead(307, { location: `${inside.origin}/mcp` }).end(),
    };

    await expect(toolsetAt(server).getTools()).rejects.toThrow();

    expect(inside.asked).toEqual([]);
    await inside.stop();
  });
});

describe('row 24: an MCP server of the old way', () => {
  it('that has its messages sent to another server is not obeyed, however open that one is', async () => {
    const inside = await ScriptedMcpServer.start();
    const outside = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${inside.origin}/mcp\n\n`);
    }).listen(0, '127.0.0.1');
    await once(outside, 'listening');
    const { port } = outside.address() as AddressInfo;
    const connectionParams = { type: 'SSEConnectionParams', url: `http://127.0.0.1:${port}/sse` } as const;

    await expect(toolsetOf({ ...connectionParams, timeout: 2_000 }).getTools()).rejects.toThrow();

    expect(inside.asked).toEqual([]);
    await inside.stop();
    outside.closeAllConnections();
    outside.close();
  });
});

describe('the sessions with an MCP server', () => {
  it('are one for all calls, opened once though many ask at the same time', async () => {
    const toolset = toolsetAt(server);

    await Promise.all(Array.from({ length: 20 }, () => call(toolset, 'echo', { a: 1 })));

    expect(server.count('initialize')).toBe(1);
    expect(server.count('tools/list')).toBe(1);
    expect(server.count('tools/call')).toBe(20);
  });

  it('are one for each set of headers, and no more than the bound', async () => {
    const headerProvider = (context: { readonly state: { get(key: string): unknown } }) => ({
      authorization: `Bearer ${String(context.state.get('who'))}`,
    });
    const toolset = toolsetAt(server, { headerProvider, maxSessions: 2 });

    for (const who of ['ada', 'bob', 'ada', 'eve', 'kim'])
      await call(toolset, 'echo', {}, aContext({ state: { who } }));

    const seen = server.headers.map(({ authorization }) => authorization);
    expect(new Set(seen)).toEqual(new Set(['Bearer ada', 'Bearer bob', 'Bearer eve', 'Bearer kim']));
    expect(server.count('initialize')).toBe(4);
  });

  it('show the credential its author gave, and ask nobody for it (B35)', async () => {
    const authConfig = {
      authScheme: { type: 'apiKey', in: 'header', name: 'x-key' },
      credentialKey: 'k',
      rawAuthCredential: { authType: 'apiKey', apiKey: 'secret' },
    } as const;
    const toolset = toolsetAt(server, { authConfig });

    await call(toolset, 'echo', { a: 1 });

    expect(toolset.getAuthConfig()).toBeUndefined();
    expect(server.headers.at(-1)).toMatchObject({ 'x-key': 'secret' });
  });

  it('show the credential a user gave, once he was asked (B35)', async () => {
    const authConfig = { authScheme: { type: 'oauth2' }, credentialKey: 'k' } as const;
    const toolset = toolsetAt(server, { authConfig });
    const given = { authType: 'oauth2', oauth2: { accessToken: 'token' } };

    await call(toolset, 'echo', {}, aContext({ state: { 'temp:k': given } }));

    expect(toolset.getAuthConfig()).toBe(authConfig);
    expect(server.headers.at(-1)).toMatchObject({ authorization: 'Bearer token' });
  });

  it('bring no header of a user’s own: he could ride on the session of another', async () => {
    const authConfig = { authScheme: { type: 'http', scheme: 'bearer' }, credentialKey: 'k' } as const;
    const toolset = toolsetAt(server, { authConfig });
    const additionalHeaders = { 'mcp-session-id': 'of another', 'x-admin': '1' };
    const given = {
      authType: 'http',
      http: { scheme: 'bearer', credentials: { token: 't' }, additionalHeaders },
    };

    await call(toolset, 'echo', {}, aContext({ state: { 'temp:k': given } }));

    expect(server.headers.at(-1)).toMatchObject({ authorization: 'Bearer t' });
    expect(server.headers.some((seen) => 'x-admin' in seen || 'mcp-session-id' in seen)).toBe(false);
  });

  it('are not asked for the list again before its time, nor for one that just failed', async () => {
    const toolset = toolsetAt(server);
    server.answers = { 'tools/list': (_message, response) => void response.writeHead(500).end() };

    await expect(namesIn(toolset)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(namesIn(toolset)).rejects.toMatchObject({ kind: 'unavailable' });

    expect(server.count('tools/list')).toBe(1);
  });
});
