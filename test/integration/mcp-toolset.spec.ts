import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LlmAgent, LoadMcpResourceTool, MCPToolset, ScriptedLlm } from '@skein/adk';
import { runAgent } from '@skein/adk/testing';
import { EVERYTHING, McpServer, stdioParams } from '../support/mcp-server';
import { waitUntil } from '../support/wait-until';
import { aContext, call, closeToolsets, toolIn, toolsetOf } from './mcp-harness';

const SERVER = path.join(__dirname, '../support/mcp-stdio-server.mjs');
const importing = (file: string): string => `import(${JSON.stringify(file)});`;
const servers: McpServer[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'skein-mcp-'));

async function aServer(transport: 'streamableHttp' | 'sse'): Promise<McpServer> {
  const server = await McpServer.start(transport);
  servers.push(server);
  return server;
}

function text(words: string): unknown {
  return { content: [{ type: 'text', text: words }] };
}

async function pidOf(toolset: MCPToolset): Promise<number> {
  return Number(/\d+/.exec(JSON.stringify(await call(toolset, 'pid')))?.[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

afterEach(async () => {
  await closeToolsets();
  await Promise.all(servers.splice(0).map((server) => server.kill()));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['streamableHttp', 'sse'] as const)('the tools of a real MCP server over %s', (transport) => {
  it('are listed and called, before and after the server was killed and started again', async () => {
    const server = await aServer(transport);
    const toolset = toolsetOf(server.connectionParams);

    const echo = await toolIn(toolset, 'echo');
    const say = (message: string) => echo.runAsync({ args: { message }, toolContext: aContext() });

    const before = await say('before');
    await server.kill();
    await expect(say('away')).rejects.toMatchObject({ kind: 'unavailable' });
    await server.start();
    const after = await say('after');

    expect([before, after]).toEqual([text('Echo: before'), text('Echo: after')]);
  }, 60_000);

  it('that are under way when it is killed fail at once, and may be tried again; the next one goes well', async () => {
    const server = await aServer(transport);
    const toolset = toolsetOf(server.connectionParams);
    const progress: unknown[] = [];
    const context = Object.assign(aContext(), { progress: (value: unknown) => progress.push(value) });

    const echo = await toolIn(toolset, 'echo');
    const slow = call(toolset, 'trigger-long-running-operation', { duration: 60, steps: 300 }, context);
    // The server says of this one that it may be repeated.
    const failed = expect(slow).rejects.toMatchObject({ code: 'mcp.disconnected', kind: 'unavailable' });
    await waitUntil('the call to be under way', () => progress.length > 0);
    await server.kill();
    await failed;
    await server.start();

    expect(progress[0]).toMatchObject({ progress: 1, total: 300 });
    const again = await echo.runAsync({ args: { message: 'again' }, toolContext: aContext() });
    expect(again).toEqual(text('Echo: again'));
  }, 60_000);

  it('share one session, also when many are called at the same time', async () => {
    const server = await aServer(transport);
    const toolset = toolsetOf(server.connectionParams);

    const sums = await Promise.all(
      Array.from({ length: 50 }, (_none, at) => call(toolset, 'get-sum', { a: at, b: 1 })),
    );

    expect(sums[49]).toEqual(text('The sum of 49 and 1 is 50.'));
  }, 60_000);
});

describe('the tools of an MCP server that is a process', () => {
  const growing = stdioParams(SERVER);

  it('are listed and called, before and after the server died', async () => {
    const toolset = toolsetOf(growing);
    const before = await call(toolset, 'pid');

    await expect(call(toolset, 'exit')).rejects.toMatchObject({ code: 'mcp.outcome-unknown' });
    const after = await call(toolset, 'pid');

    expect(after).not.toEqual(before);
  });

  it('may be repeated by the word of their author, whatever their server says of them', async () => {
    const toolset = toolsetOf(growing, { toolOptions: { sideEffect: 'idempotent' } });
    const never = toolsetOf(growing, { toolOptions: { sideEffect: 'once' } });

    await expect(call(toolset, 'exit')).rejects.toMatchObject({ code: 'mcp.disconnected' });
    await expect(call(never, 'exit')).rejects.toMatchObject({ code: 'mcp.outcome-unknown' });
  });

  it('had no effect where their server does not even start: that may be tried again', async () => {
    const flag = path.join(folder, 'gone');
    const args = [
      '-e',
      `if (require('fs').existsSync(${JSON.stringify(flag)})) process.exit(1); ${importing(SERVER)}`,
    ];
    const toolset = toolsetOf(stdioParams(...args));
    const drop = await toolIn(toolset, 'exit');
    await expect(call(toolset, 'exit')).rejects.toMatchObject({ code: 'mcp.outcome-unknown' });
    writeFileSync(flag, '');

    const dropped = drop.runAsync({ args: {}, toolContext: aContext() });

    await expect(dropped).rejects.toMatchObject({ code: 'mcp.disconnected', kind: 'unavailable' });
  });

  it('are those of the real server too, with what it shows: structure, pictures, links', async () => {
    const toolset = toolsetOf(stdioParams());

    const weather = await call(toolset, 'get-structured-content', { location: 'New York' });
    const picture = await call(toolset, 'get-tiny-image');
    const links = await call(toolset, 'get-resource-links', { count: 1 });

    expect(weather).toMatchObject({ structuredContent: { conditions: 'Cloudy' } });
    expect(picture).toMatchObject({
      content: [{}, { type: 'image', mimeType: 'image/png', data: expect.any(String) as string }, {}],
    });
    expect(links).toMatchObject({ content: [{}, { type: 'resource_link' }] });
  });

  it('see of the environment what is safe and what they were given, nothing else', async () => {
    process.env.MCP_TEST_SECRET = 'canary';
    const serverParams = {
      command: process.execPath,
      args: [EVERYTHING, 'stdio'],
      env: { GIVEN: 'yes' },
    };
    const toolset = toolsetOf({ type: 'StdioConnectionParams', serverParams });

    const shown = JSON.stringify(await call(toolset, 'get-env'));
    delete process.env.MCP_TEST_SECRET;

    expect(shown).toContain('GIVEN');
    expect(shown).toContain('PATH');
    expect(shown).not.toContain('canary');
  });

  it('end with their toolset, and come again when it is asked again', async () => {
    const toolset = toolsetOf(growing);
    const pid = await pidOf(toolset);

    await toolset.close();

    expect(isAlive(pid)).toBe(false);
    expect(await call(toolset, 'pid')).not.toEqual(text(String(pid)));
  });

  it('end when nobody has used them for a while', async () => {
    const toolset = toolsetOf(growing, { idleMs: 50 });
    const pid = await pidOf(toolset);

    await waitUntil('the server to end', () => !isAlive(pid));

    expect(await call(toolset, 'pid')).not.toEqual(text(String(pid)));
  });

  it('are asked for again once the server says that they are others now', async () => {
    const toolset = toolsetOf(growing, { listCacheMs: 600_000 });
    await expect(call(toolset, 'grown-1')).rejects.toThrow('no tool');

    await call(toolset, 'grow');
    const names = await waitUntil('the new tool', async () => {
      const tools = await toolset.getTools();
      return tools.some(({ name }) => name === 'grown-1') ? tools.map(({ name }) => name) : undefined;
    });

    expect(names).toContain('grown-1');
    expect(await call(toolset, 'grown-1')).toEqual(text('I am grown-1.'));
  });

  it('that fail say so in `error`, beside what they answered', async () => {
    expect(await call(toolsetOf(growing), 'fail')).toEqual({
      error: 'No such file.',
      content: [{ type: 'text', text: 'No such file.' }],
      isError: true,
    });
  });

  it('are told when a call is given up', async () => {
    const toolset = toolsetOf(growing);
    const given = new AbortController();
    const waiting = call(toolset, 'wait', {}, aContext({ signal: given.signal }));
    const failed = expect(waiting).rejects.toMatchObject({ code: 'mcp.cancelled' });
    await toolset.getTools();

    given.abort();

    await failed;
    expect(await call(toolset, 'pid')).toMatchObject({ content: [{ type: 'text' }] });
  });

  it('end within their time, and leave the session to others', async () => {
    const toolset = toolsetOf(growing, { toolOptions: { timeoutMs: 100 } });

    await expect(call(toolset, 'wait')).rejects.toMatchObject({ code: 'mcp.timeout', kind: 'deadline' });

    expect(await call(toolset, 'pid')).toMatchObject({ content: [{ type: 'text' }] });
  });

  it('are asked about first where the author says so of what the server says of them (B33)', async () => {
    const toolset = toolsetOf(growing, {
      requireConfirmation: (_args, _context, { annotations }) => annotations.destructiveHint ?? false,
    });

    const asked = await Promise.all(
      (await toolset.getTools()).map(async (tool) => [
        tool.name,
        await tool.checkRequireConfirmation({}, aContext()),
      ]),
    );

    expect(asked.filter(([, isAsked]) => isAsked)).toEqual([['drop', true]]);
  });

  it('row 30: are not called with arguments their schema refuses; the model reads why', async () => {
    const toolset = toolsetOf(stdioParams());
    const sum = (await toolset.getTools()).find(({ name }) => name === 'get-sum');

    expect(sum?.refuseArguments({ a: 1 })).toMatch(/mandatory input parameters are not present:\nb/);
    expect(sum?.refuseArguments({ a: 1, b: 'two' })).toMatch(/b must be number/);
    expect(sum?.refuseArguments({ a: 1, b: 2 })).toBeUndefined();
  });
});

describe('an agent with an MCPToolset', () => {
  const says = (words: string) => ({ content: { role: 'model', parts: [{ text: words }] } });
  const calls = (name: string, args = {}) => ({
    content: { role: 'model', parts: [{ functionCall: { name, args } }] },
  });

  it('is shown the tools that the filter lets through, under their prefix, and calls them', async () => {
    const connectionParams = stdioParams();
    const toolset = new MCPToolset(connectionParams, ['echo'], 'every');
    const model = new ScriptedLlm({ responses: [calls('every_echo', { message: 'hi' }), says('done')] });
    const agent = new LlmAgent({ name: 'root', model, tools: [toolset] });

    const { events } = await runAgent(agent, 'go');

    expect(events[1]?.content?.parts?.[0]?.functionResponse).toMatchObject({
      name: 'every_echo',
      response: text('Echo: hi'),
    });
    expect((await toolset.getTools()).map(({ name }) => name)).toEqual(['every_echo']);
    await toolset.close();
  });

  it('goes on without them while the server is away', async () => {
    const server = await aServer('streamableHttp');
    await server.kill();
    const toolset = toolsetOf(server.connectionParams);
    const model = new ScriptedLlm({ responses: [says('I have no tools.')] });

    const { events } = await runAgent(new LlmAgent({ name: 'root', model, tools: [toolset] }), 'go');

    expect(events.at(-1)?.content).toEqual(says('I have no tools.').content);
  });

  it('is shown the resources its model asks for, once', async () => {
    const toolset = toolsetOf(stdioParams());
    const [name = ''] = await toolset.listResources();
    const model = new ScriptedLlm({
      rules: [
        { when: /Resource .* is:/, respond: () => says('read') },
        { when: /.*/, respond: () => calls('load_mcp_resource', { resource_names: [name] }) },
      ],
    });
    const agent = new LlmAgent({ name: 'root', model, tools: [new LoadMcpResourceTool(toolset)] });

    const { events } = await runAgent(agent, 'go');

    expect(events.at(-1)?.content).toEqual(says('read').content);
    await expect(toolset.readResource('none')).rejects.toMatchObject({ code: 'mcp.resource' });
  });
});
