import { type Answer, ScriptedMcpServer } from '../support/scripted-mcp-server';
import { until } from './messaging-setup';
import { ToolPlane } from './tool-worker-harness';

const agentAt = ({ origin }: ScriptedMcpServer, isolation: 'thread' | 'process'): string => `
import { FunctionTool, LlmAgent, MCPToolset, ScriptedLlm } from '@skein/adk';

const memoryLimitBytes = 320 * 2 ** 20;
const kept = [];
const keeps = new FunctionTool({
  name: 'keeps', description: 'keeps memory', isolation: '${isolation}', memoryLimitBytes,
  execute: () => { kept.push(Buffer.alloc(200 * 2 ** 20, 1)); return 'kept'; },
});
const toolset = new MCPToolset({
  connectionParams: { type: 'StreamableHTTPConnectionParams', url: '${origin}/mcp', timeout: 30_000 },
  allow: ['127.0.0.1'],
  toolOptions: { isolation: '${isolation}', memoryLimitBytes },
});
export const rootAgent = new LlmAgent({
  name: 'agent', model: new ScriptedLlm({ responses: [] }), tools: [keeps, toolset],
});
`;

describe.each(['thread', 'process'] as const)('what a toolset holds in a %s of its tools', (isolation) => {
  let server: ScriptedMcpServer;
  let plane: ToolPlane;
  let opened: string[];

  beforeEach(async () => {
    opened = [];
    const initialize: Answer = ({ id, params }, response) => {
      const sessionId = `session-${opened.length + 1}`;
      opened.push(sessionId);
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': sessionId });
      const protocolVersion = params?.protocolVersion;
      const result = {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      return undefined;
    };
    server = await ScriptedMcpServer.start({ initialize });
    plane = await ToolPlane.start(agentAt(server, isolation));
  }, 120_000);

  afterEach(async () => {
    await plane?.stop();
    await server?.stop();
  }, 60_000);

  it('is closed when its worker ends', async () => {
    const worker = await plane.startWorker();
    const { outcome } = await plane.run({ tool: 'echo', args: { a: 1 } });
    expect(outcome).toEqual({ kind: 'result', value: { content: [{ type: 'text', text: '{"a":1}' }] } });
    // The worker has one of its own, in which it found the tool.
    expect(opened.length).toBeGreaterThanOrEqual(2);

    worker.signal('SIGTERM');
    await worker.exitCode;

    expect([...server.ended].sort()).toEqual(opened);
  }, 60_000);

  if (isolation === 'process')
    it('is closed when that is replaced because of its memory', async () => {
      await plane.startWorker();
      await plane.run({ tool: 'echo', args: { a: 1 } });

      expect((await plane.run({ tool: 'keeps' })).outcome).toMatchObject({ value: 'kept' });

      await until('its session to be ended', () => server.ended.length > 0);
      expect(opened.slice(1)).toEqual(expect.arrayContaining(server.ended));
    }, 60_000);
});
