import { type Content, type Event } from '@skein/contracts';
import { type Context } from '../agent/context';
import { describeError } from '../error/describe-error';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { isFinalResponse } from '../event/is-final-response';
import { type LlmResponse } from '../model/llm-response';
import { type LogLine, logLine } from '../telemetry/log';
import {
  type AgentHookParams,
  BasePlugin,
  type HookAnswer,
  type ModelHookParams,
  type RunHookParams,
  type ToolHookParams,
} from './base-plugin';
import { describeContent, describeValue } from './describe-for-log';

export interface LoggingPluginOptions {
  /** Takes one readable line per hook; published on the diagnostics channel `skein:log` when absent. */
  readonly log?: (line: string, fields: LogLine['fields']) => void;
}

/**
 * Tells what happens at each step of a run, for an author who looks for a mistake. The lines hold what users and models
 * say, shortened: it is not for production.
 */
export class LoggingPlugin extends BasePlugin {
  readonly #log: Required<LoggingPluginOptions>['log'];

  constructor(name = 'logging_plugin', { log = logLine }: LoggingPluginOptions = {}) {
    super(name);
    this.#log = log;
  }

  override async onUserMessageCallback({
    invocationContext,
    userMessage,
  }: RunHookParams & { readonly userMessage: Content }): HookAnswer<'onUserMessageCallback'> {
    const { session, rootAgent } = invocationContext;
    this.#tellRun(invocationContext, 'USER MESSAGE RECEIVED', {
      user: session.userId,
      app: session.appName,
      'root agent': rootAgent.name,
      content: describeContent(userMessage),
    });
    return undefined;
  }

  override async beforeRunCallback({ invocationContext }: RunHookParams): HookAnswer<'beforeRunCallback'> {
    this.#tellRun(invocationContext, 'INVOCATION STARTING', { agent: invocationContext.agentName });
    return undefined;
  }

  override async onEventCallback({
    invocationContext,
    event,
  }: RunHookParams & { readonly event: Event }): HookAnswer<'onEventCallback'> {
    this.#tellRun(invocationContext, 'EVENT YIELDED', {
      event: event.id,
      author: event.author,
      content: describeContent(event.content),
      final: isFinalResponse(event),
      partial: event.partial,
      calls: namesOf(getFunctionCalls(event)),
      responses: namesOf(getFunctionResponses(event)),
      'long-running': event.longRunningToolIds?.join(', '),
    });
    return undefined;
  }

  override async afterRunCallback({ invocationContext }: RunHookParams): HookAnswer<'afterRunCallback'> {
    this.#tellRun(invocationContext, 'INVOCATION COMPLETED', { agent: invocationContext.agentName });
  }

  override async onRunErrorCallback({
    invocationContext,
    error,
  }: RunHookParams & { readonly error: Error }): HookAnswer<'onRunErrorCallback'> {
    this.#tellRun(invocationContext, 'INVOCATION FAILED', { error: describeError(error) });
  }

  override async beforeAgentCallback({
    callbackContext,
  }: AgentHookParams): HookAnswer<'beforeAgentCallback'> {
    this.#tell(callbackContext, 'AGENT STARTING');
    return undefined;
  }

  override async afterAgentCallback({ callbackContext }: AgentHookParams): HookAnswer<'afterAgentCallback'> {
    this.#tell(callbackContext, 'AGENT COMPLETED');
    return undefined;
  }

  override async beforeModelCallback({
    callbackContext,
    llmRequest,
  }: ModelHookParams): HookAnswer<'beforeModelCallback'> {
    this.#tell(callbackContext, 'LLM REQUEST', {
      model: llmRequest.model,
      instruction: describeValue(llmRequest.config.systemInstruction),
      tools: Object.keys(llmRequest.toolsDict).join(', '),
    });
    return undefined;
  }

  override async afterModelCallback({
    callbackContext,
    llmResponse,
  }: {
    readonly callbackContext: Context;
    readonly llmResponse: LlmResponse;
  }): HookAnswer<'afterModelCallback'> {
    const { errorCode, errorMessage, content, partial, usageMetadata } = llmResponse;
    this.#tell(callbackContext, 'LLM RESPONSE', {
      error: errorCode && `${errorCode}: ${errorMessage ?? ''}`,
      content: describeContent(content),
      partial,
      'tokens in': usageMetadata?.promptTokenCount,
      'tokens out': usageMetadata?.candidatesTokenCount,
    });
    return undefined;
  }

  override async onModelErrorCallback({
    callbackContext,
    error,
  }: ModelHookParams & { readonly error: Error }): HookAnswer<'onModelErrorCallback'> {
    this.#tell(callbackContext, 'LLM ERROR', { error: describeError(error) });
    return undefined;
  }

  override async beforeToolCallback(params: ToolHookParams): HookAnswer<'beforeToolCallback'> {
    this.#tellTool(params, 'TOOL STARTING', { arguments: describeValue(params.toolArgs) });
    return undefined;
  }

  override async afterToolCallback(
    params: ToolHookParams & { readonly result: Record<string, unknown> },
  ): HookAnswer<'afterToolCallback'> {
    this.#tellTool(params, 'TOOL COMPLETED', { result: describeValue(params.result) });
    return undefined;
  }

  override async onToolErrorCallback(
    params: ToolHookParams & { readonly error: Error },
  ): HookAnswer<'onToolErrorCallback'> {
    const { toolArgs, error } = params;
    this.#tellTool(params, 'TOOL ERROR', { arguments: describeValue(toolArgs), error: describeError(error) });
    return undefined;
  }

  #tellRun(
    { session, invocationId }: RunHookParams['invocationContext'],
    what: string,
    about: LogLine['fields'],
  ): void {
    this.#write(what, about, { invocationId, sessionId: session.id });
  }

  #tell(context: Context, what: string, about: LogLine['fields'] = {}): void {
    const { agentName, invocationId, sessionId } = context;
    this.#write(what, { agent: agentName, ...about }, { invocationId, sessionId });
  }

  #tellTool({ tool, toolContext }: ToolHookParams, what: string, about: LogLine['fields']): void {
    this.#tell(toolContext, what, { tool: tool.name, call: toolContext.functionCallId, ...about });
  }

  #write(what: string, about: LogLine['fields'], ids: LogLine['fields']): void {
    const told = Object.entries(about).filter(([, value]) => value !== undefined && value !== '');
    const words = told.map(([key, value]) => ` | ${key}: ${String(value)}`);
    this.#log(`[${this.name}] ${what}${words.join('')}`, { plugin: this.name, ...ids });
  }
}

function namesOf(calls: readonly { readonly name: string }[]): string {
  return calls.map(({ name }) => name).join(', ');
}
