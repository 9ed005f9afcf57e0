import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { guardedFetch } from '../egress/guarded-fetch';
import {
  type MCPConnectionParams,
  type SSEConnectionParams,
  type StdioConnectionParams,
  type StreamableHTTPConnectionParams,
} from './connection-params';
import { type McpSdk } from './load-sdk';
import { type FetchWatch, watchedFetch } from './watched-fetch';

export interface TransportOptions {
  readonly params: MCPConnectionParams;
  /** Beside those of the parameters, and before them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Hosts that are open though they are private. */
  readonly allow: readonly string[];
  readonly watch: FetchWatch;
  /** What a process says on its error stream. */
  readonly onErrorOutput: (text: string) => void;
}

/** The way to a server, not yet begun. */
export function createTransport(sdk: McpSdk, options: TransportOptions): Transport {
  const { params } = options;
  switch (params.type) {
    case 'StdioConnectionParams':
      return stdioTransport(sdk, params, options);
    case 'StreamableHTTPConnectionParams':
      return new sdk.StreamableHTTPClientTransport(new URL(params.url), httpOptions(params, options));
    case 'SSEConnectionParams':
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- there are servers that speak nothing else
      return new sdk.SSEClientTransport(new URL(params.url), httpOptions(params, options));
  }
}

function stdioTransport(
  { StdioClientTransport }: McpSdk,
  { serverParams }: StdioConnectionParams,
  { watch, onErrorOutput }: TransportOptions,
): Transport {
  const transport = new StdioClientTransport({
    maxBufferSize: watch.maxMessageBytes,
    // What it writes there would stand between the lines of a service's log.
    stderr: 'pipe',
    ...serverParams,
  });
  transport.stderr?.on('data', (chunk: Buffer) => onErrorOutput(chunk.toString()));
  return transport;
}

type HttpParams = StreamableHTTPConnectionParams | SSEConnectionParams;

function httpOptions(
  { header, transportOptions = {} }: HttpParams,
  { headers, allow, watch }: TransportOptions,
): Pick<NonNullable<HttpParams['transportOptions']>, 'authProvider' | 'fetch' | 'requestInit'> {
  // A stream stays open for as long as its session: its answers are bounded one by one, and by the calls that wait.
  const unbounded = { maxResponseBytes: Infinity, timeoutMs: Infinity };
  const fetch = transportOptions.fetch ?? guardedFetch({ allow, ...unbounded });
  const given = transportOptions.requestInit;
  const own = given?.headers ? new Headers(given.headers) : new Headers(asText(header));
  for (const [name, value] of Object.entries(headers)) own.set(name, value);
  return {
    ...transportOptions,
    requestInit: { ...given, headers: Object.fromEntries(own) },
    fetch: watchedFetch(fetch, watch),
  };
}

function asText(header: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(header).map(([name, value]) => [name, String(value)]));
}
