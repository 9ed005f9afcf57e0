import { type Context } from '../agent/context';
import { type LlmRequest } from '../model/llm-request';
import { readContents, requestLike, shareContents } from '../model/shared-contents';
import { BaseTool, type RunToolRequest } from './base-tool';
import { type FunctionDeclaration } from './function-declaration';
import { type ToolOptions } from './tool-options';

/** A toolset's tool under the name its agent knows it by. */
export class PrefixedTool extends BaseTool {
  constructor(
    readonly tool: BaseTool,
    name: string,
  ) {
    super({ ...optionsOf(tool), name, description: tool.description, isLongRunning: tool.isLongRunning });
  }

  override getDeclaration(): FunctionDeclaration | undefined {
    const declaration = this.tool.getDeclaration();
    return declaration && { ...declaration, name: this.name };
  }

  override runAsync(request: RunToolRequest): Promise<unknown> {
    return this.tool.runAsync(request);
  }

  override refuseArguments(args: Readonly<Record<string, unknown>>): string | undefined {
    return this.tool.refuseArguments(args);
  }

  override checkRequireConfirmation(
    args: Readonly<Record<string, unknown>>,
    toolContext: Context,
  ): Promise<boolean> {
    return this.tool.checkRequireConfirmation(args, toolContext);
  }

  /** What the tool adds beside its declaration it adds too; its declaration goes in under the other name. */
  override async processLlmRequest(request: { llmRequest: LlmRequest; toolContext: Context }): Promise<void> {
    const { llmRequest, toolContext } = request;
    const { tools, ...config } = llmRequest.config;
    const seen = requestLike(llmRequest, { config, toolsDict: {} });
    await this.tool.processLlmRequest({ llmRequest: seen, toolContext });
    shareContents(llmRequest, readContents(seen));
    llmRequest.config = { ...seen.config, ...(tools ? { tools } : {}) };
    if (!tools) delete llmRequest.config.tools;
    await super.processLlmRequest(request);
  }
}

/** The options a tool was made with, read back from it. */
function optionsOf(tool: BaseTool): ToolOptions {
  const { pool, placement, isolation, memoryLimitBytes, retryOn, actions } = tool;
  const { maxAttempts, backoffMs, maxBackoffMs, ...policy } = tool.policy;
  // Without retries of its own it has what a tool has by default, and giving that would ask for them.
  const retry = retryOn && { maxAttempts, backoffMs, maxBackoffMs, retryOn };
  return { ...{ pool, placement, isolation, memoryLimitBytes, actions, retry }, ...policy };
}
