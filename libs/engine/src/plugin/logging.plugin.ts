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

  override onUserMessageCallback({
    invocationContext,
    userMessage,
  }: RunHookParams & { readonly userMessage: Content }): undefined {
    const { session, rootAgent } = invocationContext;
    this.#tellRun(invocationContext, 'USER MESSAGE RECEIVED', {
      user: session.userId,
      app: session.appName,
      'root agent': rootAgent.name,
      content: describeContent(userMessage),
    });
  }

  override beforeRunCallback({ invocationContext }: RunHookParams): undefined {
    this.#tellRun(invocationContext, 'INVOCATION STARTING', { agent: invocationContext.agentName });
  }

  override onEventCallback({
    invocationContext,
    event,
  }: RunHookParams & { readonly event: Event }): undefined {
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
  }

  override afterRunCallback({ invocationContext }: RunHookParams): void {
    this.#tellRun(invocationContext, 'INVOCATION COMPLETED', { agent: invocationContext.agentName });
  }

  override onRunErrorCallback({ invocationContext, error }: RunHookParams & { readonly error: Error }): void {
    this.#tellRun(invocationContext, 'INVOCATION FAILED', { error: describeError(error) });
  }

  override beforeAgentCallback({ callbackContext }: AgentHookParams): undefined {
    this.#tell(callbackContext, 'AGENT STARTING');
  }

  override afterAgentCallback({ callbackContext }: AgentHookParams): undefined {
    this.#tell(callbackContext, 'AGENT COMPLETED');
  }

  override beforeModelCallback({ callbackContext, llmRequest }: ModelHookParams): undefined {
    this.#tell(callbackContext, 'LLM REQUEST', {
      model: llmRequest.model,
      instruction: describeValue(llmRequest.config.systemInstruction),
      tools: Object.keys(llmRequest.toolsDict).join(', '),
    });
  }

  override afterModelCallback({
    callbackContext,
    llmResponse,
  }: {
    readonly callbackContext: Context;
    readonly llmResponse: LlmResponse;
  }): undefined {
    const { errorCode, errorMessage, content, partial, usageMetadata } = llmResponse;
    this.#tell(callbackContext, 'LLM RESPONSE', {
      error: errorCode && `${errorCode}: ${errorMessage ?? ''}`,
      content: describeContent(content),
      partial,
      'tokens in': usageMetadata?.promptTokenCount,
      'tokens out': usageMetadata?.candidatesTokenCount,
    });
  }

  override onModelErrorCallback({
    callbackContext,
    error,
  }: ModelHookParams & { readonly error: Error }): undefined {
    this.#tell(callbackContext, 'LLM ERROR', { error: describeError(error) });
  }

  override beforeToolCallback(params: ToolHookParams): undefined {
    this.#tellTool(params, 'TOOL STARTING', { arguments: describeValue(params.toolArgs) });
  }

  override afterToolCallback(
    params: ToolHookParams & { readonly result: Record<string, unknown> },
  ): undefined {
    this.#tellTool(params, 'TOOL COMPLETED', { result: describeValue(params.result) });
  }

  override onToolErrorCallback(params: ToolHookParams & { readonly error: Error }): undefined {
    const { toolArgs, error } = params;
    this.#tellTool(params, 'TOOL ERROR', { arguments: describeValue(toolArgs), error: describeError(error) });
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
