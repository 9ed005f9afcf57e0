import type { SSEClientTransportOptions } from '@modelcontextprotocol/sdk/client/sse.js';
import type { StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AdkError } from '@skein/contracts';

/** A server that is started as a process of the one that uses it, and spoken to over its standard streams. */
export interface StdioConnectionParams {
  type: 'StdioConnectionParams';
  /** Of this process's environment it gets what the SDK calls safe (PATH, HOME, …), and what `env` says. */
  serverParams: StdioServerParameters;
  /** Until the server is ready, and for each listing, in milliseconds. */
  timeout?: number;
}

/** A server at a URL, spoken to as MCP does since 2025-03-26. */
export interface StreamableHTTPConnectionParams {
  type: 'StreamableHTTPConnectionParams';
  url: string;
  /** Not used beside `transportOptions`, whose `requestInit.headers` say the same. */
  header?: Record<string, unknown>;
  timeout?: number;
  /** A call is given up that was silent for so long, in milliseconds; progress counts as a word. */
  sseReadTimeout?: number;
  /** Whether the server is told when a session ends; true when left out. */
  terminateOnClose?: boolean;
  /** Its `fetch`, if it has one, takes the place of the guarded one. */
  transportOptions?: StreamableHTTPClientTransportOptions;
}

/** A server at a URL, spoken to as MCP did before: one stream of events, and a request for each message. */
export interface SSEConnectionParams {
  type: 'SSEConnectionParams';
  url: string;
  header?: Record<string, unknown>;
  timeout?: number;
  sseReadTimeout?: number;
  /** Its `fetch`, if it has one, takes the place of the guarded one. */
  transportOptions?: SSEClientTransportOptions;
}

export type MCPConnectionParams =
  StdioConnectionParams | StreamableHTTPConnectionParams | SSEConnectionParams;

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_SHOWN = 200;

/** Throws `mcp.connection` for what says neither a command nor a URL. */
export function assertConnectionParams(params: MCPConnectionParams): void {
  const problem = problemOf(params);
  if (problem) throw new AdkError('invalid', 'mcp.connection', problem);
}

export function timeoutOf({ timeout = DEFAULT_TIMEOUT_MS }: MCPConnectionParams): number {
  return timeout;
}

/** How a server is called in messages: never with its arguments or a query, which may hold secrets. */
export function nameOfServer(params: MCPConnectionParams): string {
  if (params.type === 'StdioConnectionParams') return params.serverParams.command.slice(0, MAX_SHOWN);
  const { origin, pathname } = new URL(params.url);
  return `${origin}${pathname}`.slice(0, MAX_SHOWN);
}

function problemOf(params: MCPConnectionParams): string | undefined {
  const { timeout } = params;
  if (timeout !== undefined && !(timeout > 0)) return '`timeout` must be a number of milliseconds.';
  switch (params.type) {
    case 'StdioConnectionParams':
      return params.serverParams.command ? undefined : '`serverParams.command` names no program.';
    case 'StreamableHTTPConnectionParams':
    case 'SSEConnectionParams':
      return isHttp(params.url) ? undefined : '`url` must be one of http or https.';
    default:
      return '`type` must be StdioConnectionParams, StreamableHTTPConnectionParams or SSEConnectionParams.';
  }
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
