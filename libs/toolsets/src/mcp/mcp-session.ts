import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JsonSchemaValidatorResult } from '@modelcontextprotocol/sdk/validation/types.js';
import { AdkError } from '@skein/contracts';
import { warn } from '@skein/engine';
import { z } from 'zod';
import { type MCPConnectionParams, nameOfServer, timeoutOf } from './connection-params';
import { createTransport } from './create-transport';
import { loadSdk, type McpClient } from './load-sdk';
import { mcpError } from './mcp-error';
import { isSseError, SessionHealth } from './session-health';
import { SessionLost } from './session-lost';
import { within } from './within';

export interface SessionOptions {
  readonly params: MCPConnectionParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly allow: readonly string[];
  readonly maxMessageBytes: number;
  /** The server says that its list of tools is another one now. */
  readonly onToolsChanged: () => void;
}

export interface McpRequest<T> {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly result: z.ZodType<T>;
  readonly timeoutMs: number;
  /** Given up after so long without progress. */
  readonly silentMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: unknown) => void;
}

const TOOLS_CHANGED = z.object({
  method: z.literal('notifications/tools/list_changed'),
  params: z.unknown().optional(),
});
const CLIENT = { name: 'skein', version: '0.1.0' };
const MAX_ERROR_OUTPUT = 2_000;
const TERMINATE_MS = 1_000;

/** A session with an MCP server. It takes many requests at a time; one that is lost takes none any more. */
export class McpSession {
  #isClosed = false;
  #errorOutput = '';
  #transport: Transport | undefined;
  readonly #health: SessionHealth;

  private constructor(
    readonly client: McpClient,
    private readonly options: SessionOptions,
  ) {
    this.#health = new SessionHealth(options.params.type, () => void this.close());
  }

  /** Rejects with an AdkError when the server cannot be reached, or does not speak MCP in time. */
  static async open(options: SessionOptions): Promise<McpSession> {
    const sdk = await loadSdk();
    // Results are shown as they come: a server whose schema is wrong is no reason to hide what it says.
    const jsonSchemaValidator = { getValidator: () => accepted };
    const session = new McpSession(new sdk.Client(CLIENT, { jsonSchemaValidator }), options);
    try {
      const { params, headers, allow, maxMessageBytes } = options;
      const watch = session.#health.fetchWatch(maxMessageBytes);
      const onErrorOutput = (text: string): void => session.#keepErrorOutput(text);
      await session.#connect(createTransport(sdk, { params, headers, allow, watch, onErrorOutput }));
      return session;
    } catch (error) {
      await session.close();
      throw mcpError(isSseError(error) ? (session.#health.failure ?? error) : error, session.server);
    }
  }

  /** Whether it may be given to another call. */
  get isUsable(): boolean {
    return this.#health.lost === undefined && !this.#isClosed;
  }

  get server(): string {
    return nameOfServer(this.options.params);
  }

  /** Rejects with SessionLost where the request had no effect, else with an AdkError. */
  async request<T>({ signal, timeoutMs, silentMs, onProgress, ...request }: McpRequest<T>): Promise<T> {
    if (signal?.aborted) throw cancelled(this.server, signal.reason);
    // Its own, since the SDK listens to a signal for as long as that lives.
    const ended = new AbortController();
    const abort = (): void => ended.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      const schema = request.result as z.ZodType;
      const answer: unknown = await this.client.request(
        { method: request.method, params: request.params },
        schema,
        {
          signal: ended.signal,
          timeout: Math.min(timeoutMs, silentMs ?? timeoutMs),
          maxTotalTimeout: timeoutMs,
          resetTimeoutOnProgress: silentMs !== undefined,
          ...(onProgress ? { onprogress: onProgress } : {}),
        },
      );
      // It was read with the schema of a T.
      return answer as T;
    } catch (error) {
      if (signal?.aborted) throw cancelled(this.server, error);
      if (error instanceof SessionLost) throw error;
      throw mcpError(this.#isClosed ? (this.#health.lost ?? error) : error, this.server);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends it: requests that still wait reject. A process is asked to end, then made to. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#tellErrorOutput();
    await this.#terminate();
    // What cannot be closed is gone already.
    await this.client.close().catch(() => undefined);
    await this.#transport?.close().catch(() => undefined);
  }

  async #connect(transport: Transport): Promise<void> {
    this.#transport = transport;
    this.#health.listenTo(transport);
    this.client.setNotificationHandler(TOOLS_CHANGED as never, () => this.options.onToolsChanged());
    const timeout = timeoutOf(this.options.params);
    // Beside the SDK's own bound, which does not count until the first message could be sent.
    await within(timeout, this.client.connect(transport, { timeout }), () => {
      throw notReady(this.server, timeout);
    });
    this.#health.ready();
  }

  /** Over HTTP a session is kept by the server until it is told, or for as long as it likes. */
  async #terminate(): Promise<void> {
    const { params } = this.options;
    if (params.type !== 'StreamableHTTPConnectionParams' || params.terminateOnClose === false) return;
    if (!hasTermination(this.#transport) || this.#health.lost) return;
    // A server that does not hear it will forget the session by itself.
    const told = this.#transport.terminateSession().catch(() => undefined);
    await within(TERMINATE_MS, told, () => undefined);
  }

  #keepErrorOutput(text: string): void {
    this.#errorOutput = (this.#errorOutput + text).slice(-MAX_ERROR_OUTPUT);
  }

  /** Of a server that was ended as it should be nobody wants to read. */
  #tellErrorOutput(): void {
    const isAsItShould = this.#health.lost === undefined && this.client.getServerVersion() !== undefined;
    if (isAsItShould || this.#errorOutput.trim() === '') return;
    warn('an MCP server ended', { server: this.server, errorOutput: this.#errorOutput });
  }
}

function accepted<T>(data: unknown): JsonSchemaValidatorResult<T> {
  // Nothing is asked of it.
  return { valid: true, data: data as T, errorMessage: undefined };
}

function hasTermination(
  transport: Transport | undefined,
): transport is Transport & { terminateSession(): Promise<void> } {
  return transport !== undefined && 'terminateSession' in transport;
}

function notReady(server: string, timeoutMs: number): AdkError {
  const message = `The MCP server ${server} was not ready within ${timeoutMs} ms.`;
  return new AdkError('unavailable', 'mcp.unavailable', message);
}

function cancelled(server: string, cause: unknown): AdkError {
  const message = `A request to the MCP server ${server} was given up.`;
  return new AdkError('cancelled', 'mcp.cancelled', message, { cause });
}
