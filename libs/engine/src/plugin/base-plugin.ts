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
export type HookParams<Name extends PluginHook> = Parameters<Required<PluginHooks>[Name]>[0];
/** What a hook of a class answers; a class below it may answer more than it does. */
export type HookAnswer<Name extends PluginHook> = ReturnType<BasePlugin[Name]>;

const MARKER: unique symbol = Symbol.for('skein.BasePlugin');

/** Whether a value is a plugin, also when it came from another copy of this package. */
export function isBasePlugin(value: unknown): value is BasePlugin {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** On a hook that nobody wrote, also when it came from another copy of this package. */
const NOT_WRITTEN: unique symbol = Symbol.for('skein.BasePlugin.notWritten');

/** Whether a plugin has a hook of its own. */
export function hasHook(plugin: PluginHooks, hook: PluginHook): boolean {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is looked at, not called.
  const callback = plugin[hook];
  return typeof callback === 'function' && !(NOT_WRITTEN in callback);
}

/**
 * A plugin overrides the hooks it needs; those it leaves out are never called. They answer promises, as those of
 * `@google/adk` do; a plugin without types may answer at once.
 */
export abstract class BasePlugin implements Required<PluginHooks> {
  readonly [MARKER] = true;

  constructor(readonly name: string) {}

  async onUserMessageCallback(
    _params: HookParams<'onUserMessageCallback'>,
  ): Promise<Content | ContentLike | undefined> {
    return undefined;
  }

  async beforeRunCallback(
    _params: HookParams<'beforeRunCallback'>,
  ): Promise<Content | ContentLike | undefined> {
    return undefined;
  }

  async onEventCallback(_params: HookParams<'onEventCallback'>): Promise<Partial<Event> | undefined> {
    return undefined;
  }

  async afterRunCallback(_params: HookParams<'afterRunCallback'>): Promise<void> {
    // Nothing is to be done.
  }

  async onRunErrorCallback(_params: HookParams<'onRunErrorCallback'>): Promise<void> {
    // Nothing is to be done.
  }

  async beforeAgentCallback(
    _params: HookParams<'beforeAgentCallback'>,
  ): Promise<Content | ContentLike | undefined> {
    return undefined;
  }

  async afterAgentCallback(
    _params: HookParams<'afterAgentCallback'>,
  ): Promise<Content | ContentLike | undefined> {
    return undefined;
  }

  async onAgentErrorCallback(_params: HookParams<'onAgentErrorCallback'>): Promise<void> {
    // Nothing is to be done.
  }

  async beforeModelCallback(_params: HookParams<'beforeModelCallback'>): Promise<LlmResponse | undefined> {
    return undefined;
  }

  async afterModelCallback(_params: HookParams<'afterModelCallback'>): Promise<LlmResponse | undefined> {
    return undefined;
  }

  async onModelErrorCallback(_params: HookParams<'onModelErrorCallback'>): Promise<LlmResponse | undefined> {
    return undefined;
  }

  async beforeToolCallback(_params: HookParams<'beforeToolCallback'>): Promise<Dict | undefined> {
    return undefined;
  }

  async afterToolCallback(_params: HookParams<'afterToolCallback'>): Promise<Dict | undefined> {
    return undefined;
  }

  async onToolErrorCallback(_params: HookParams<'onToolErrorCallback'>): Promise<Dict | undefined> {
    return undefined;
  }

  /** Releases what the plugin holds; called once, when its runner closes. */
  async close(): Promise<void> {
    // Most plugins hold nothing.
  }
}

for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(BasePlugin.prototype))) {
  if (name.endsWith('Callback')) Object.defineProperty(value, NOT_WRITTEN, { value: true });
}
