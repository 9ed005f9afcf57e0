import { AdkError, type ToolPolicy } from '@skein/contracts';
import { type Context } from '../agent/context';
import { getOwn } from '../json/set-own';
import { type LlmRequest } from '../model/llm-request';
import { declarationOf, type FunctionDeclaration, type GivenDeclaration } from './function-declaration';

/** Where and how a tool runs; every field has a default. */
export interface ToolOptions {
  /** Which workers run it: those that serve this pool. */
  readonly pool?: string;
  /** Bound of one execution, in milliseconds. */
  readonly timeoutMs?: number;
  readonly retry?: { readonly maxAttempts?: number };
  /** `once`: an attempt whose outcome is unknown is not repeated. */
  readonly sideEffect?: ToolPolicy['sideEffect'];
  /** `inline` runs it in the runner: for control tools and pure, fast functions. */
  readonly placement?: 'worker' | 'inline';
}

export interface BaseToolParams extends ToolOptions {
  readonly name: string;
  readonly description: string;
  readonly isLongRunning?: boolean;
}

export interface RunToolRequest {
  readonly args: Readonly<Record<string, unknown>>;
  readonly toolContext: Context;
}

const MARKER: unique symbol = Symbol.for('skein.BaseTool');
const TOOL_NAME = /^[a-zA-Z_][\w.:-]{0,127}$/;
const DEFAULT_POLICY: ToolPolicy = { timeoutMs: 60_000, maxAttempts: 5, sideEffect: 'idempotent' };

/** Whether a value is a tool, also when it came from another copy of this package. */
export function isBaseTool(value: unknown): value is BaseTool {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** Something a model can call. */
export abstract class BaseTool {
  readonly [MARKER] = true;
  readonly name: string;
  readonly description: string;
  readonly isLongRunning: boolean;
  readonly pool: string;
  readonly placement: 'worker' | 'inline';
  readonly policy: ToolPolicy;

  /** Throws `tool.name` for a name no provider takes. */
  constructor(params: BaseToolParams) {
    assertToolName(params.name);
    this.name = params.name;
    this.description = params.description;
    this.isLongRunning = params.isLongRunning ?? false;
    this.pool = params.pool ?? 'default';
    this.placement = params.placement ?? 'worker';
    this.policy = {
      timeoutMs: params.timeoutMs ?? DEFAULT_POLICY.timeoutMs,
      maxAttempts: params.retry?.maxAttempts ?? DEFAULT_POLICY.maxAttempts,
      sideEffect: params.sideEffect ?? DEFAULT_POLICY.sideEffect,
    };
  }

  /** What the model is told; nothing for a tool that only changes the request. */
  getDeclaration(): FunctionDeclaration | undefined {
    const given = this._getDeclaration();
    return given && declarationOf(this, given);
  }

  /** The same by @google/adk's name, which a tool written for it overrides, with a genai Schema in it. */
  _getDeclaration(): GivenDeclaration | undefined {
    const isOverridden =
      Reflect.get(this, 'getDeclaration') !== Reflect.get(BaseTool.prototype, 'getDeclaration');
    return isOverridden ? this.getDeclaration() : undefined;
  }

  /** Runs the tool. A throw becomes an error the model can read. May run again after a crash, under the same key. */
  abstract runAsync(request: RunToolRequest): Promise<unknown>;

  /** Why these arguments cannot be used, as a sentence for the model (B32); checked in the runner, before dispatch. */
  refuseArguments(_args: Readonly<Record<string, unknown>>): string | undefined {
    return undefined;
  }

  /** Whether a human has to allow this call first (B33); asked in the runner, before dispatch. */
  async checkRequireConfirmation(
    _args: Readonly<Record<string, unknown>>,
    _toolContext: Context,
  ): Promise<boolean> {
    return false;
  }

  /** Adds the tool to a model request; most tools add their declaration. Rejects with `tool.duplicate`. */
  async processLlmRequest({ llmRequest }: { llmRequest: LlmRequest; toolContext: Context }): Promise<void> {
    const declaration = this.getDeclaration();
    if (!declaration) return;
    // Two toolsets may bring the very same tool; a second declaration of a name is refused by providers.
    if (getOwn(llmRequest.toolsDict, this.name) === this) return;
    assertNotTaken(llmRequest, this);
    llmRequest.toolsDict[this.name] = this;
    const tools = (llmRequest.config.tools ??= []);
    const declared = tools.find(({ functionDeclarations }) => functionDeclarations !== undefined);
    if (declared?.functionDeclarations) declared.functionDeclarations.push(declaration);
    else tools.push({ functionDeclarations: [declaration] });
  }
}

function assertToolName(name: unknown): void {
  if (typeof name === 'string' && TOOL_NAME.test(name)) return;
  throw new AdkError(
    'invalid',
    'tool.name',
    `${typeof name === 'string' ? JSON.stringify(name) : typeof name} is not a name for a tool: it must begin with a letter or "_" and hold up to ` +
      '128 letters, digits and "_", ".", ":", "-".',
  );
}

function assertNotTaken({ toolsDict }: LlmRequest, tool: BaseTool): void {
  if (!Object.hasOwn(toolsDict, tool.name)) return;
  throw new AdkError('invalid', 'tool.duplicate', `Two tools are called "${tool.name}".`);
}
