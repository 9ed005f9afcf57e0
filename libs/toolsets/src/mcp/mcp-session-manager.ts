import { assertConnectionParams, type MCPConnectionParams } from './connection-params';
import { type McpClient } from './load-sdk';
import { McpSession } from './mcp-session';
import { type Lease, SessionPool } from './session-pool';

export type Headers = Readonly<Record<string, string>>;

export interface MCPSessionOptions {
  /** Hosts that may be reached though they are private: `localhost:3001`, `10.1.0.0/16`. */
  readonly allow?: readonly string[];
  /** Sessions at the same time, one for each set of headers; 32 when left out. */
  readonly maxSessions?: number;
  /** A session nobody used for so long is closed, in milliseconds; five minutes when left out. */
  readonly idleMs?: number;
  /** The most bytes of one message of the server; 10 MiB when left out. */
  readonly maxMessageBytes?: number;
}

const NO_HEADERS: Headers = {};

/** The sessions of one process with one MCP server: opened when they are needed, shared, opened again when lost. */
export class MCPSessionManager {
  readonly #pool: SessionPool;
  readonly #options: MCPSessionOptions;
  readonly #leases = new Map<McpClient, Lease[]>();
  readonly #toolsChanged = new Set<(headers: Headers) => void>();

  /** Throws `mcp.connection` for parameters that name no server. */
  constructor(
    readonly connectionParams: MCPConnectionParams,
    options: MCPSessionOptions = {},
  ) {
    assertConnectionParams(connectionParams);
    this.#options = options;
    const { maxSessions = 32, idleMs = 300_000 } = options;
    this.#pool = new SessionPool({ maxSessions, idleMs });
  }

  /** Runs a function with a session, which others use at the same time. Rejects with an AdkError `mcp.…`. */
  async use<T>(
    work: (session: McpSession) => Promise<T>,
    { headers = NO_HEADERS, signal }: { readonly headers?: Headers; readonly signal?: AbortSignal } = {},
  ): Promise<T> {
    return this.#pool.use(keyOf(headers), () => this.#open(headers), work, signal);
  }

  /** The SDK's client of a session, until it is given back by `closeSession`. */
  async createSession(headers: Headers = NO_HEADERS): Promise<McpClient> {
    const lease = await this.#pool.lease(keyOf(headers), () => this.#open(headers));
    const { client } = lease.session;
    this.#leases.set(client, [...(this.#leases.get(client) ?? []), lease]);
    return client;
  }

  /** Gives a session back; it ends when nobody has used it for a while. */
  async closeSession(client: McpClient): Promise<void> {
    const [lease, ...others] = this.#leases.get(client) ?? [];
    if (others.length > 0) this.#leases.set(client, others);
    else this.#leases.delete(client);
    lease?.release();
  }

  /** Those that `createSession` gave and nobody gave back. */
  getActiveSessions(): McpClient[] {
    return [...this.#leases.keys()];
  }

  /** Tells when the server says that its tools are others now, to those with these headers. */
  onToolsChanged(listener: (headers: Headers) => void): void {
    this.#toolsChanged.add(listener);
  }

  /** Ends all sessions; a server that was started as a process ends with its own. */
  async close(): Promise<void> {
    this.#leases.clear();
    await this.#pool.close();
  }

  async #open(headers: Headers): Promise<McpSession> {
    const { allow = [], maxMessageBytes = 10 * 1024 * 1024 } = this.#options;
    return McpSession.open({
      params: this.connectionParams,
      onToolsChanged: () => this.#toolsChanged.forEach((listener) => listener(headers)),
      ...{ headers, allow, maxMessageBytes },
    });
  }
}

/** The same for the same headers, in whatever order they are given. */
export function keyOf(headers: Headers): string {
  return JSON.stringify(Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1)));
}
