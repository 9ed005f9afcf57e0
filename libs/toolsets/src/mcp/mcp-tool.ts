import { AdkError } from '@skein/contracts';
import {
  assertToolOptions,
  BaseTool,
  type Context,
  type FunctionDeclaration,
  type JsonSchema,
  type LlmRequest,
  type ReadonlyContext,
  refuseArguments,
  type RunToolRequest,
  type ToolOptions,
  warn,
} from '@skein/engine';
import { type CheckArguments } from './check-arguments';
import { type McpSession } from './mcp-session';
import { type Headers, type MCPSessionManager } from './mcp-session-manager';
import { type ToolAnnotations, type ToolDefinition } from './tool-definition';
import { type CallResult, callResultSchema, responseOf } from './tool-result';

type Arguments = Readonly<Record<string, unknown>>;

/** Whether a human has to allow a call: always, or as the function says of it and of what the server says of the tool. */
export type MCPRequireConfirmation =
  boolean | ((args: Arguments, toolContext: Context, tool: MCPTool) => boolean | Promise<boolean>);

export interface MCPToolOptions {
  /** Where and how it runs. */
  readonly toolOptions?: ToolOptions | undefined;
  readonly requireConfirmation?: MCPRequireConfirmation | undefined;
  /** Headers of the session that a call takes. */
  readonly headersOf?: ((context: ReadonlyContext) => Promise<Headers>) | undefined;
  readonly checkArguments?: CheckArguments | undefined;
}

const UNKNOWN = 'Whether the call took effect is not known.';

/** A tool of an MCP server. It runs in a tool worker unless placed inline; the worker has the session. */
export class MCPTool extends BaseTool {
  /** What the server says of it; not to be trusted. */
  readonly annotations: ToolAnnotations;
  readonly originalName: string;
  #declaration: FunctionDeclaration | undefined;
  readonly #parameters: JsonSchema;
  readonly #manager: MCPSessionManager;
  readonly #options: MCPToolOptions;

  constructor(
    mcpTool: ToolDefinition,
    mcpSessionManager: MCPSessionManager,
    originalName?: string,
    options: MCPToolOptions = {},
  ) {
    const description = mcpTool.description ?? mcpTool.title ?? '';
    super({ ...options.toolOptions, name: mcpTool.name, description });
    assertToolOptions(`the MCP tool "${mcpTool.name}"`, options.toolOptions);
    this.annotations = mcpTool.annotations ?? {};
    this.originalName = originalName ?? mcpTool.name;
    this.#parameters = { ...mcpTool.inputSchema, type: 'object' };
    this.#manager = mcpSessionManager;
    this.#options = options;
  }

  /** Throws `tool.schema` where the server's schema is none that a model can be shown. */
  override getDeclaration(): FunctionDeclaration | undefined {
    this.#declaration ??= super.getDeclaration();
    return this.#declaration;
  }

  override _getDeclaration(): FunctionDeclaration {
    return { name: this.name, description: this.description, parametersJsonSchema: this.#parameters };
  }

  override refuseArguments(args: Arguments): string | undefined {
    const check = this.#options.checkArguments;
    const parse = (given: Arguments): unknown => check?.(given);
    return refuseArguments(this.name, { jsonSchema: this.#parameters, parse }, args);
  }

  override async checkRequireConfirmation(args: Arguments, toolContext: Context): Promise<boolean> {
    const { requireConfirmation = false } = this.#options;
    if (typeof requireConfirmation === 'boolean') return requireConfirmation;
    return requireConfirmation(args, toolContext, this);
  }

  /** Rejects with an AdkError `mcp.…`; what the tool itself says went wrong is an answer, with `error` in it. */
  override async runAsync({ args, toolContext }: RunToolRequest): Promise<Record<string, unknown>> {
    const headers = await this.#options.headersOf?.(toolContext);
    const use = { signal: toolContext.signal, ...(headers ? { headers } : {}) };
    const result = await this.#manager.use((session) => this.#call(session, args, toolContext), use);
    return responseOf(result);
  }

  /** What fails before, as a server that is not there, had no effect and is tried again as it is. */
  async #call(session: McpSession, args: Arguments, toolContext: Context): Promise<CallResult> {
    const { connectionParams } = this.#manager;
    try {
      return await session.request({
        method: 'tools/call',
        params: { name: this.originalName, arguments: args },
        result: callResultSchema,
        timeoutMs: this.policy.timeoutMs,
        silentMs: 'sseReadTimeout' in connectionParams ? connectionParams.sseReadTimeout : undefined,
        signal: toolContext.signal,
        onProgress: (progress) => report(toolContext, progress),
      });
    } catch (cause) {
      const isCut = AdkError.isInstance(cause) && cause.code === 'mcp.disconnected';
      if (!isCut || this.#isRepeatable) throw cause;
      // Not `unavailable`, which the tool plane would try again.
      throw new AdkError('internal', 'mcp.outcome-unknown', `${cause.message} ${UNKNOWN}`, { cause });
    }
  }

  /** Whether a call may be made twice: by its author's word, else by the server's own. */
  get #isRepeatable(): boolean {
    const { sideEffect } = this.#options.toolOptions ?? {};
    if (sideEffect !== undefined) return sideEffect === 'idempotent';
    const { readOnlyHint = false, idempotentHint = false } = this.annotations;
    return readOnlyHint || idempotentHint;
  }

  /** A server's list may change at any time: a name that is taken keeps this tool away, and not the run from going on. */
  override async processLlmRequest(request: { llmRequest: LlmRequest; toolContext: Context }): Promise<void> {
    const { toolsDict } = request.llmRequest;
    if (Object.hasOwn(toolsDict, this.name)) {
      warn('a tool of an MCP server has the name of another tool and was left out', { tool: this.name });
      return;
    }
    await super.processLlmRequest(request);
  }
}

/** What a server says of how far it is is a courtesy: one that cannot be told on harms no call. */
function report(toolContext: Context, progress: unknown): void {
  try {
    toolContext.progress(progress);
  } catch {
    // Too large, or too late.
  }
}
