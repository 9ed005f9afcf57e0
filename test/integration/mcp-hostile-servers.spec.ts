import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type ServerResponse } from 'node:http';
import { FunctionTool, LlmAgent, type MCPToolset, ScriptedLlm } from '@skein/adk';
import { runAgent } from '@skein/adk/testing';
import { type Warning, WARNINGS } from '@skein/engine';
import { McpServer, stdioParams } from '../support/mcp-server';
import { type Answer, ScriptedMcpServer, sendResult } from '../support/scripted-mcp-server';
import { waitUntil } from '../support/wait-until';
import { call, closeToolsets, toolsetAt, toolsetOf } from './mcp-harness';

let server: ScriptedMcpServer;
const warnings: Warning[] = [];
const listen = (warning: unknown): void => void warnings.push(warning as Warning);

beforeEach(async () => {
  server = await ScriptedMcpServer.start();
  warnings.length = 0;
  subscribe(WARNINGS, listen);
});

afterEach(async () => {
  unsubscribe(WARNINGS, listen);
  await closeToolsets();
  await server.stop();
});

async function namesIn(toolset: MCPToolset): Promise<string[]> {
  return (await toolset.getTools()).map(({ name }) => name);
}

const named = (name: unknown, more = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const lists =
  (...tools: unknown[]): Answer =>
  () => ({ tools });
const raw =
  (body: string, type = 'application/json'): Answer =>
  (_message, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': type }).end(body);

/** The same piece again and again, for as long as anybody reads. */
const endless =
  (type: string, piece: string): Answer =>
  (_message, response) => {
    response.writeHead(200, { 'content-type': type });
    const more = (): void => {
      if (response.destroyed) return;
      response.write(piece);
      setImmediate(more);
    };
    more();
    return undefined;
  };

const withError: Answer = ({ id }, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_602, message: 'No.' } }));
  return undefined;
};

describe('an MCP server that lists', () => {
  it('1,000 tools over many pages has all of them told to the model', async () => {
    server.answers = {
      'tools/list': ({ params }) => {
        const page = Number(params?.cursor ?? 0);
        const tools = Array.from({ length: 100 }, (_none, at) => named(`tool_${page * 100 + at}`));
        return { tools, ...(page < 9 ? { nextCursor: String(page + 1) } : {}) };
      },
    };

    const names = await namesIn(toolsetAt(server));

    expect(names).toHaveLength(1_000);
    expect(names.at(-1)).toBe('tool_999');
  });

  it('pages without an end has none of them, and says why', async () => {
    let page = 0;
    server.answers = {
      'tools/list': () => ({ tools: [named(`t${page}`)], nextCursor: String((page += 1)) }),
    };

    await expect(namesIn(toolsetAt(server))).rejects.toMatchObject({
      code: expect.stringMatching(/^mcp\./) as string,
    });
  });

  it('names twice, names of the framework, names no model takes and no names keeps what is well', async () => {
    const tools = [
      named('read'),
      named('read', { description: 'another' }),
      named('adk_request_confirmation'),
      named('transfer_to_agent'),
      named('with spaces/and $igns'),
      named('日本'),
      named('__proto__'),
      named(''),
      named(42),
      named('x'.repeat(129)),
      named('9lives'),
      'no tool',
      { name: 'without_schema' },
      named('bad_schema', { inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }),
    ];
    server.answers = { 'tools/list': lists(...tools) };

    const names = await namesIn(toolsetAt(server));

    expect(names).toEqual(['read', 'with_spaces_and__igns', '__', '__proto__', '_9lives']);
    expect(warnings.length).toBeGreaterThan(3);
    expect(Object.prototype).not.toHaveProperty('read');
  });

  it('the name of another tool of the agent does not keep the agent from going on', async () => {
    server.answers = { 'tools/list': lists(named('pay'), named('echo')) };
    const pay = new FunctionTool({ name: 'pay', description: '', execute: () => 'mine' });
    const model = new ScriptedLlm({
      responses: [
        { content: { role: 'model', parts: [{ functionCall: { name: 'pay', args: {} } }] } },
        { content: { role: 'model', parts: [{ text: 'done' }] } },
      ],
    });
    const agent = new LlmAgent({ name: 'root', model, tools: [pay, toolsetAt(server)] });

    const { events } = await runAgent(agent, 'go');

    expect(events[1]?.content?.parts?.[0]?.functionResponse?.response).toEqual({ result: 'mine' });
    expect(warnings[0]).toMatchObject({ fields: { tool: 'pay' } });
  });

  it('row 26: a regular expression that never ends keeps nobody busy', async () => {
    const properties = { text: { type: 'string', pattern: '^(a+)+$' } };
    const inputSchema = { type: 'object', properties, patternProperties: { '^(b+)+$': {} } };
    server.answers = { 'tools/list': lists(named('echo', { inputSchema })) };
    const [tool] = await toolsetAt(server).getTools();
    const startedAtMs = performance.now();

    const refusal = tool?.refuseArguments({ text: `${'a'.repeat(100)}!`, [`${'b'.repeat(100)}!`]: 1 });

    expect(refusal).toBeUndefined();
    expect(tool?.refuseArguments({ text: 1 })).toMatch(/text must be string/);
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });

  it.each([
    ['itself', { $ref: '#' }],
    ['nothing there is', { properties: { a: { $ref: '#/$defs/none' } } }],
  ])('a schema that refers to %s harms nobody', async (_what, schema) => {
    server.answers = {
      'tools/list': lists(named('echo', { inputSchema: { type: 'object', ...schema } }), named('b')),
    };

    const tools = await toolsetAt(server).getTools();

    expect(tools.map(({ name }) => name)).toContain('b');
    for (const tool of tools) expect(tool.refuseArguments({ a: 1 })).toBeUndefined();
  });
});

describe('an MCP server that answers', () => {
  it.each<[string, string, Answer]>([
    ['garbage', 'mcp.answer', raw('not json')],
    ['another protocol', 'mcp.answer', raw('<html></html>', 'text/html')],
    ['what was not asked', 'mcp.outcome-unknown', raw('{"jsonrpc":"2.0","id":999,"result":{}}')],
    ['in another shape', 'mcp.answer', () => ({ content: 'no list' })],
    ['half a stream', 'mcp.outcome-unknown', raw(': no event\n\n', 'text/event-stream')],
    ['an error', 'mcp.refused', withError],
    ['that it is overloaded', 'mcp.unavailable', (_message, response) => void response.writeHead(503).end()],
    [
      'that it wants a credential',
      'mcp.unauthorized',
      (_message, response) => void response.writeHead(401).end(),
    ],
  ])('%s fails this call only', async (_what, code, answer) => {
    const toolset = toolsetAt(server, { toolOptions: { timeoutMs: 5_000 } });
    await toolset.getTools();
    server.answers = { 'tools/call': answer };

    await expect(call(toolset, 'echo', { a: 1 })).rejects.toMatchObject({ code });
    server.answers = {};

    expect(await call(toolset, 'echo', { a: 1 })).toEqual({ content: [{ type: 'text', text: '{"a":1}' }] });
  });

  it.each([
    ['one message', 'application/json'],
    ['an event', 'text/event-stream'],
  ])('more than the limit as %s is not read to the end', async (_what, type) => {
    const toolset = toolsetAt(server, { maxMessageBytes: 100_000 });
    await toolset.getTools();
    server.answers = { 'tools/call': endless(type, 'data: '.padEnd(50_000, 'x')) };

    await expect(call(toolset, 'echo', { a: 1 })).rejects.toMatchObject({ code: 'mcp.too-large' });
  });

  it('more than the limit by the stream of the old way is told as that, and the next call goes well', async () => {
    const old = await McpServer.start('sse');
    try {
      const toolset = toolsetOf(old.connectionParams, { maxMessageBytes: 100_000 });

      const tooLarge = call(toolset, 'echo', { message: 'x'.repeat(200_000) });

      await expect(tooLarge).rejects.toMatchObject({ code: 'mcp.too-large' });
      expect(await call(toolset, 'echo', { message: 'hi' })).toMatchObject({ content: [{ type: 'text' }] });
    } finally {
      await old.kill();
    }
  });

  it('without an end and with empty lines between, which end no JSON, is not read on', async () => {
    const toolset = toolsetAt(server, { maxMessageBytes: 100_000 });
    await toolset.getTools();
    server.answers = { 'tools/call': endless('application/json', '\n\n'.padStart(50_000, ' ')) };

    await expect(call(toolset, 'echo', { a: 1 })).rejects.toMatchObject({ code: 'mcp.too-large' });
  });

  it('never is given up after the time of the tool, and told', async () => {
    const toolset = toolsetAt(server, { toolOptions: { timeoutMs: 300 } });
    server.answers = { 'tools/call': () => undefined };

    await expect(call(toolset, 'echo', { a: 1 })).rejects.toMatchObject({ code: 'mcp.timeout' });

    await waitUntil('the server to be told', () => server.count('notifications/cancelled') === 1);
  });

  it.each(['initialize', 'tools/list'])(
    'never to %s costs the agent its tools, after a time',
    async (method) => {
      server.answers = { [method]: () => undefined };

      await expect(namesIn(toolsetAt(server, {}, 300))).rejects.toMatchObject({
        code: expect.stringMatching(/^mcp\.(timeout|unavailable)$/) as string,
      });
    },
  );

  it('404 to its own session is asked again with a new one', async () => {
    let sessions = 0;
    server.answers = {
      initialize: ({ params }, response) => {
        response.setHeader('mcp-session-id', `s${(sessions += 1)}`);
        return {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        };
      },
      'tools/call': (message, response, { headers }) => {
        if (headers['mcp-session-id'] === 's1') return void response.writeHead(404).end();
        sendResult(message, response, { content: [] });
        return undefined;
      },
    };

    expect(await call(toolsetAt(server), 'echo')).toEqual({ content: [] });
    expect(server.count('tools/call')).toBe(2);
  });
});

describe('an MCP server that is a process', () => {
  it.each([
    ['cannot be started', stdioParams('/nowhere/at/all.mjs'), 'mcp.disconnected'],
    [
      'says only garbage',
      stdioParams('-e', 'setInterval(() => console.log("hello"), 10)'),
      'mcp.(timeout|unavailable)',
    ],
    ['ends at once', stdioParams('-e', 'process.exit(1)'), 'mcp.disconnected'],
    [
      'writes without an end',
      stdioParams('-e', 'setInterval(() => process.stdout.write("x".repeat(1e6)), 1)'),
      'mcp.',
    ],
  ])('and %s costs the agent its tools, nothing else', async (_what, connectionParams, code) => {
    const toolset = toolsetOf({ ...connectionParams, timeout: 1_500 });

    await expect(toolset.getTools()).rejects.toMatchObject({
      code: expect.stringMatching(`^${code}`) as string,
    });
  });
});
