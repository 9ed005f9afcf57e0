import { type AuthConfig } from '../auth/auth-config';
import { type Context } from '../agent/context';
import { type ReadonlyContext } from '../agent/readonly-context';
import { type LlmRequest } from '../model/llm-request';
import { type BaseTool } from './base-tool';
import { PrefixedTool } from './prefixed-tool';

/** Which of a toolset's tools an agent gets: those named, or those the predicate says yes to. */
export type ToolFilter = readonly string[] | ((tool: BaseTool, context: ReadonlyContext) => boolean);

export interface BaseToolsetParams {
  readonly toolFilter?: ToolFilter;
  /** Goes before each tool's name, with an underscore between. */
  readonly prefix?: string;
}

const MARKER: unique symbol = Symbol.for('skein.BaseToolset');

/** Whether a value is a toolset, also when it came from another copy of this package. */
export function isBaseToolset(value: unknown): value is BaseToolset {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** Tools that are known only when an agent runs. One that cannot give its tools is logged and left out. */
export abstract class BaseToolset {
  readonly [MARKER] = true;
  readonly toolFilter: ToolFilter | undefined;
  readonly prefix: string | undefined;

  /** As @google/adk has it, the filter and the prefix may also stand one after the other; an empty filter is none. */
  constructor(given: BaseToolsetParams | ToolFilter = {}, prefix?: string) {
    const params = isFilter(given) ? { toolFilter: isEmpty(given) ? undefined : given, prefix } : given;
    this.toolFilter = params.toolFilter;
    this.prefix = params.prefix;
  }

  /** All tools there are; the filter and the prefix are applied by the caller. */
  abstract getTools(context: ReadonlyContext): Promise<readonly BaseTool[]>;

  /** The credential without which the toolset cannot give its tools; the user is asked for it first (B35). */
  getAuthConfig(): AuthConfig | undefined {
    return undefined;
  }

  /** Forgets what it remembers of its tools: a worker was asked for one that it did not list. */
  refresh(): void {
    // Most toolsets make their tools anew each time.
  }

  /** Releases what the toolset holds, for good: its tools are not called after it. */
  async close(): Promise<void> {
    // Most toolsets hold nothing.
  }

  /** Releases, of what it holds, that which it opens again by itself: nobody called its tools for a while, somebody may later. */
  async closeIdle(): Promise<void> {
    // A toolset that has to be made anew after its close keeps what it has.
  }

  /** Changes a model request before the toolset's own tools do. */
  async processLlmRequest(_toolContext: Context, _llmRequest: LlmRequest): Promise<void> {
    // Most toolsets add tools and nothing else.
  }

  /** The tools as the agent has them: those the filter lets through, under their prefixed names. */
  async getToolsWithPrefix(context: ReadonlyContext): Promise<readonly BaseTool[]> {
    const tools = await this.getTools(context);
    const selected = tools.filter((tool) => this.isToolSelected(tool, context));
    return this.prefix === undefined
      ? selected
      : selected.map((tool) => new PrefixedTool(tool, `${this.prefix}_${tool.name}`));
  }

  protected isToolSelected(tool: BaseTool, context: ReadonlyContext): boolean {
    if (this.toolFilter === undefined) return true;
    return typeof this.toolFilter === 'function'
      ? this.toolFilter(tool, context)
      : this.toolFilter.includes(tool.name);
  }
}

function isFilter(given: BaseToolsetParams | ToolFilter): given is ToolFilter {
  return typeof given === 'function' || Array.isArray(given);
}

function isEmpty(filter: ToolFilter): boolean {
  return typeof filter !== 'function' && filter.length === 0;
}
