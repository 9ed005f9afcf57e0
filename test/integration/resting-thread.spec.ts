import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { type ToolCallMessage } from '@skein/contracts';
import Piscina from 'piscina';
import { type Answer, ScriptedMcpServer } from '../support/scripted-mcp-server';
import { until } from './messaging-setup';

const ENTRY = path.resolve(__dirname, '../../dist/apps/tool-worker/src/isolation/inside/thread-main.js');

const agentAt = ({ origin }: ScriptedMcpServer): string => `
import { BaseToolset, FunctionTool, LlmAgent, MCPToolset, ScriptedLlm } from '@skein/adk';

/** As one with a database pool, which nobody can use again after its end. */
class Rows extends BaseToolset {
  isOver = false;
  async getTools() {
    const execute = () => {
      if (this.isOver) throw new Error('Cannot use a pool after calling end on the pool');
      return 'rows';
    };
    return [new FunctionTool({ name: 'rows', description: 'reads rows', execute })];
  }
  async close() { this.isOver = true; }
}
const mcp = new MCPToolset({
  connectionParams: { type: 'StreamableHTTPConnectionParams', url: '${origin}/mcp', timeout: 30_000 },
  allow: ['127.0.0.1'],
});
export const rootAgent = new LlmAgent({
  name: 'agent', model: new ScriptedLlm({ responses: [] }), tools: [new Rows(), mcp],
});
`;

/** With a session, which its client has to end. */
const initialize: Answer = ({ id, params }, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session' });
  const server = { capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
  const result = { protocolVersion: params?.protocolVersion, ...server };
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  return undefined;
};

describe('a thread that has had no call for a while', () => {
  let server: ScriptedMcpServer;
  let agentsDir: string;
  let pool: Piscina;

  beforeEach(async () => {
    server = await ScriptedMcpServer.start({ initialize });
    agentsDir = await mkdtemp(path.join(tmpdir(), 'resting-'));
    await mkdir(path.join(agentsDir, 'probe'));
    await writeFile(path.join(agentsDir, 'probe', 'agent.ts'), agentAt(server));
    const settings = {
      ...{ agentsDir, adkCompat: false, environment: {} },
      ...{ resultLimitBytes: 1e6, memoryLimitBytes: 2 ** 28 },
    };
    pool = new Piscina({
      ...{ filename: ENTRY, minThreads: 1, maxThreads: 1, atomics: 'disabled' },
      workerData: { settings, leaving: `leaving-${crypto.randomUUID()}`, restMs: 50 },
    });
  }, 60_000);

  afterEach(async () => {
    await pool?.destroy();
    await server?.stop();
    await rm(agentsDir, { recursive: true, force: true });
  });

  async function run(tool: string): Promise<unknown> {
    const { port1: ours, port2: theirs } = new MessageChannel();
    try {
      const { outcome } = (await pool.run(
        { message: aCall(tool), port: theirs },
        { transferList: [theirs] },
      )) as { outcome: unknown };
      return outcome;
    } finally {
      ours.close();
    }
  }

  it('closes sessions, which are opened again, and no toolset whose close is an end', async () => {
    const first = [await run('echo'), await run('rows')];
    await until('its session to be ended', () => server.ended.length > 0);

    const second = [await run('echo'), await run('rows')];

    const outcomes = [expect.objectContaining({ kind: 'result' }), { kind: 'result', value: 'rows' }];
    expect([first, second]).toEqual([outcomes, outcomes]);
  }, 60_000);
});

function aCall(tool: string): ToolCallMessage {
  const dispatchId = `d-${tool.padStart(32, '0')}`;
  return {
    ...{ appName: 'probe', userId: 'ada', sessionId: 's', invocationId: 'e-1' },
    call: {
      ...{ dispatchId, stepKey: 'k', index: 0, callId: 'c', agentName: 'agent', tool, pool: 'default' },
      args: {},
      policy: { timeoutMs: 20_000, maxAttempts: 1, sideEffect: 'idempotent' },
    },
    ticket: { dispatchId, attempt: 1, deadlineMs: Date.now() + 120_000, hmac: 'h' },
    state: {},
  };
}
