import {
  assertToolOptions,
  type AuthConfig,
  type BaseTool,
  BaseToolset,
  describeError,
  type ReadonlyContext,
  type ToolFilter,
  type ToolOptions,
  warn,
} from '@skein/engine';
import { credentialHeaders } from '../auth/credential-headers';
import { userCredential } from '../auth/user-credential';
import { argumentsCheck } from './check-arguments';
import { type MCPConnectionParams, timeoutOf } from './connection-params';
import { listTools } from './list-tools';
import { loadSdk, type McpSdk } from './load-sdk';
import { type Headers, keyOf, MCPSessionManager, type MCPSessionOptions } from './mcp-session-manager';
import { type MCPRequireConfirmation, MCPTool } from './mcp-tool';
import { McpResources } from './mcp-resources';
import { type ToolDefinition } from './tool-definition';
import { ToolList } from './tool-list';
import { nameForModel } from './tool-name';

/** How a toolset's server is used; every field has a default. */
export interface MCPToolsetOptions extends MCPSessionOptions {
  /** Where and how its tools run: for all of them, or by what the server says of one. */
  readonly toolOptions?: ToolOptions | ((tool: ToolDefinition) => ToolOptions);
  /** Whether a human has to allow a call first (B33). */
  readonly requireConfirmation?: MCPRequireConfirmation;
  /** Headers for the server, by who asks: a session is shared by those with the same. */
  readonly headerProvider?: (context: ReadonlyContext) => Headers | Promise<Headers>;
  /** What the server is to be shown; the user is asked for it, unless it is an author's key or token (B35). */
  readonly authConfig?: AuthConfig;
  /** The list of tools is asked for again after so long, in milliseconds; a minute when left out. */
  readonly listCacheMs?: number;
}

export interface MCPToolsetParams extends MCPToolsetOptions {
  readonly connectionParams: MCPConnectionParams;
  readonly toolFilter?: ToolFilter;
  /** Goes before each tool's name, with an underscore between. */
  readonly prefix?: string;
}

/**
 * The tools of an MCP server. The runner asks for their list, to tell the model of them; the tool workers have the
 * sessions the calls take. A server that is away costs an agent these tools, and nothing else.
 */
export class MCPToolset extends BaseToolset {
  readonly #manager: MCPSessionManager;
  readonly #options: MCPToolsetOptions;
  readonly #lists: ToolList<MCPTool>;
  readonly #resources: McpResources;

  /** Throws `mcp.connection` for parameters that name no server, `tool.options` for options its tools cannot have. */
  constructor(
    given: MCPConnectionParams | MCPToolsetParams,
    toolFilter: ToolFilter = [],
    prefix?: string,
    options: MCPToolsetOptions = {},
  ) {
    const params = isParams(given) ? given : { ...options, connectionParams: given, toolFilter, prefix };
    super(params.toolFilter ?? [], params.prefix);
    const { toolOptions } = params;
    if (typeof toolOptions !== 'function') assertToolOptions('an MCPToolset', toolOptions);
    this.#options = params;
    this.#manager = new MCPSessionManager(params.connectionParams, params);
    const { listCacheMs: cacheMs = 60_000, maxSessions: maxLists = 32 } = params;
    this.#lists = new ToolList({ cacheMs, maxLists });
    this.#resources = new McpResources(this.#manager);
    this.#manager.onToolsChanged((headers) => this.#lists.drop(keyOf(headers)));
  }

  /** Those the filter lets through, under their prefixed names. Rejects with an AdkError `mcp.…` or `egress.…`. */
  override async getTools(context?: ReadonlyContext): Promise<BaseTool[]> {
    const headers = await this.#headersOf(context);
    const tools = await this.#lists.get(keyOf(headers), () => this.#list(headers));
    return tools.filter((tool) => this.#isWanted(tool, context));
  }

  override getToolsWithPrefix(context: ReadonlyContext): Promise<readonly BaseTool[]> {
    return this.getTools(context);
  }

  override refresh(): void {
    this.#lists.refresh();
  }

  override getAuthConfig(): AuthConfig | undefined {
    const { authConfig } = this.#options;
    return authConfig && !isAuthorsOwn(authConfig) ? authConfig : undefined;
  }

  /** The names of the server's resources. */
  async listResources(context?: ReadonlyContext): Promise<string[]> {
    const resources = await this.#resources.list(await this.#headersOf(context));
    return resources.map(({ name }) => name);
  }

  /** Rejects with `mcp.resource` where the server has none of this name. */
  async getResourceInfo(name: string, context?: ReadonlyContext): ReturnType<McpResources['find']> {
    return this.#resources.find(name, await this.#headersOf(context));
  }

  /** What a resource holds, as the server gives it: text, or bytes in base64. */
  async readResource(name: string, context?: ReadonlyContext): ReturnType<McpResources['read']> {
    return this.#resources.read(name, await this.#headersOf(context));
  }

  override async close(): Promise<void> {
    await this.#closeSessions();
  }

  override async closeIdle(): Promise<void> {
    // Not `close`, which an author's subclass may have made an end.
    await this.#closeSessions();
  }

  async #closeSessions(): Promise<void> {
    this.#lists.clear();
    await this.#manager.close();
  }

  /** Named as an author may: by the server's name, or by the one the model sees. */
  #isWanted(tool: MCPTool, context: ReadonlyContext | undefined): boolean {
    const { toolFilter } = this;
    if (toolFilter === undefined) return true;
    if (typeof toolFilter !== 'function') {
      return toolFilter.includes(tool.originalName) || toolFilter.includes(tool.name);
    }
    // Without a context there is nothing a predicate could look at.
    return context === undefined || toolFilter(tool, context);
  }

  async #list(headers: Headers): Promise<MCPTool[]> {
    const sdk = await loadSdk();
    const timeoutMs = timeoutOf(this.#manager.connectionParams);
    // Many may wait for one list, so that it has a bound of its own and ends with none of them.
    const definitions = await this.#manager.use((session) => listTools(session, timeoutMs), {
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const tools = new Map<string, MCPTool>();
    for (const definition of definitions) {
      const tool = this.#toolOf(sdk, definition);
      if (tool && !tools.has(tool.name)) tools.set(tool.name, tool);
      else this.#leftOut(definition, 'its name is taken, reserved or none that a model can be shown');
    }
    return [...tools.values()];
  }

  #toolOf(sdk: McpSdk, definition: ToolDefinition): MCPTool | undefined {
    const name = nameForModel(definition.name, this.prefix);
    if (name === undefined) return undefined;
    const { toolOptions, requireConfirmation } = this.#options;
    try {
      const tool = new MCPTool({ ...definition, name }, this.#manager, definition.name, {
        toolOptions: typeof toolOptions === 'function' ? toolOptions(definition) : toolOptions,
        requireConfirmation,
        headersOf: (context) => this.#headersOf(context),
        checkArguments: argumentsCheck(sdk, { ...definition.inputSchema, type: 'object' }),
      });
      // Here rather than in a request, which one tool must not keep from being made.
      tool.getDeclaration();
      return tool;
    } catch (error) {
      this.#leftOut(definition, describeError(error));
      return undefined;
    }
  }

  #leftOut({ name }: ToolDefinition, reason: string): void {
    warn('a tool of an MCP server was left out', { tool: name.slice(0, 200), reason });
  }

  async #headersOf(context: ReadonlyContext | undefined): Promise<Headers> {
    const { headerProvider, authConfig } = this.#options;
    const provided = context ? await headerProvider?.(context) : undefined;
    if (!authConfig) return provided ?? {};
    const given = context && userCredential(context, authConfig);
    const credential = given ?? authConfig.rawAuthCredential;
    return { ...(credential ? credentialHeaders(authConfig, credential) : {}), ...provided };
  }
}

function isParams(given: MCPConnectionParams | MCPToolsetParams): given is MCPToolsetParams {
  return 'connectionParams' in given;
}

/** A key or a token the author has already: there is nothing to ask a user for. */
function isAuthorsOwn({ rawAuthCredential: own }: AuthConfig): boolean {
  return own !== undefined && (own.apiKey !== undefined || own.http !== undefined);
}
