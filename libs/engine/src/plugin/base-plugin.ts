import { type Content, type ContentLike, type Event } from '@skein/contracts';
import { type BaseAgent } from '../agent/base-agent';
import { type Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmRequest } from '../model/llm-request';
import { type LlmResponse } from '../model/llm-response';
import { type BaseTool } from '../tool/base-tool';

type Answer<T> = T | undefined | Promise<T | undefined>;
type Notified = void | Promise<void>;
type Dict = Record<string, unknown>;

interface CallbackParams {
  readonly callbackContext: Context;
}

/** What each hook is given and what it may answer. An answer stops the row of plugins and the agent's own callbacks. */
export interface PluginHooks {
  /** What it sets or saves through `callbackContext` is stored with the user's event. */
  onUserMessageCallback?(
    params: RunHookParams & CallbackParams & { readonly userMessage: Content },
  ): Answer<Content | ContentLike>;
  beforeRunCallback?(params: RunHookParams): Answer<Content | ContentLike>;
  onEventCallback?(params: RunHookParams & { readonly event: Event }): Answer<Partial<Event>>;
  afterRunCallback?(params: RunHookParams): Notified;
  onRunErrorCallback?(params: RunHookParams & { readonly error: Error }): Notified;
  beforeAgentCallback?(params: AgentHookParams): Answer<Content | ContentLike>;
  afterAgentCallback?(params: AgentHookParams): Answer<Content | ContentLike>;
  onAgentErrorCallback?(params: AgentHookParams & { readonly error: Error }): Notified;
  beforeModelCallback?(params: ModelHookParams): Answer<LlmResponse>;
  afterModelCallback?(params: CallbackParams & { readonly llmResponse: LlmResponse }): Answer<LlmResponse>;
  onModelErrorCallback?(params: ModelHookParams & { readonly error: Error }): Answer<LlmResponse>;
  beforeToolCallback?(params: ToolHookParams): Answer<Dict>;
  afterToolCallback?(params: ToolHookParams & { readonly result: Dict }): Answer<Dict>;
  onToolErrorCallback?(params: ToolHookParams & { readonly error: Error }): Answer<Dict>;
}

export interface RunHookParams {
  readonly invocationContext: InvocationContext;
}

export interface AgentHookParams extends CallbackParams {
  readonly agent: BaseAgent;
}

export interface ModelHookParams extends CallbackParams {
  readonly llmRequest: LlmRequest;
}

export interface ToolHookParams {
  readonly tool: BaseTool;
  readonly toolArgs: Dict;
  readonly toolContext: Context;
}

export type PluginHook = keyof PluginHooks;

const MARKER: unique symbol = Symbol.for('skein.BasePlugin');

/** Whether a value is a plugin, also when it came from another copy of this package. */
export function isBasePlugin(value: unknown): value is BasePlugin {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** A plugin overrides the hooks it needs; those it leaves out are never called. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- every hook is optional, so nothing is left unset.
export abstract class BasePlugin {
  readonly [MARKER] = true;

  constructor(readonly name: string) {}

  /** Releases what the plugin holds; called once, when its runner closes. */
  async close(): Promise<void> {
    // Most plugins hold nothing.
  }
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- as above.
export interface BasePlugin extends PluginHooks {
  readonly name: string;
}
