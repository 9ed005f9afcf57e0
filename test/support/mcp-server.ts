import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type MCPConnectionParams } from '@skein/adk';
import { freePort } from '@skein/stack';
import { waitUntil } from './wait-until';

/** The reference server of the MCP project, as npm gives it. */
export const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');

export type McpTransport = 'stdio' | 'streamableHttp' | 'sse';

/** A server that is started as a process, on a port of its own that it keeps when it is started again. */
export class McpServer {
  #child: ChildProcess | undefined;

  private constructor(
    readonly transport: 'streamableHttp' | 'sse',
    readonly port: number,
  ) {}

  static async start(transport: 'streamableHttp' | 'sse'): Promise<McpServer> {
    const server = new McpServer(transport, await freePort());
    await server.start();
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `${this.origin}/${this.transport === 'sse' ? 'sse' : 'mcp'}`;
  }

  get connectionParams(): MCPConnectionParams {
    const type = this.transport === 'sse' ? 'SSEConnectionParams' : 'StreamableHTTPConnectionParams';
    return { type, url: this.url };
  }

  async start(): Promise<void> {
    const env = { ...process.env, PORT: String(this.port) };
    this.#child = spawn(process.execPath, [EVERYTHING, this.transport], { env, stdio: 'ignore' });
    await waitUntil('the MCP server to listen', () => isAnswering(`${this.origin}/nothing`), 30_000);
  }

  /** Ends it without a word, as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

/** How the same server is reached as a process of whoever calls it. */
export function stdioParams(...args: readonly string[]): MCPConnectionParams {
  return {
    type: 'StdioConnectionParams',
    serverParams: { command: process.execPath, args: args.length > 0 ? [...args] : [EVERYTHING, 'stdio'] },
  };
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).text();
    return true;
  } catch {
    return false;
  }
}
