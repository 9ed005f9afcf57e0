import { AdkError, type ToolPolicy } from '@skein/contracts';
import { type Context } from '../agent/context';
import { getOwn, setOwn } from '../json/set-own';
import { type LlmRequest } from '../model/llm-request';
import { declarationOf, type FunctionDeclaration, type GivenDeclaration } from './function-declaration';
import { type CheckedToolOptions, checkedToolOptions, type ToolOptions } from './tool-options';

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
  /** What goes with each call. */
  readonly policy: ToolPolicy;
  readonly isolation: CheckedToolOptions['isolation'];
  readonly memoryLimitBytes: number | undefined;
  /** Whether a throw is worth another attempt; undefined where the author asked for none. */
  readonly retryOn: CheckedToolOptions['retryOn'];
  /** What the tool said that it does with `ctx.actions`; undefined where it said nothing. */
  readonly actions: CheckedToolOptions['actions'];

  /**
   * Throws `tool.name` for a name no provider takes, `tool.options` for options that make no sense. `known` are the names of
   * all options there are, where others are a mistake: left out, a class of an author's own may have more.
   */
  constructor(params: BaseToolParams, known?: readonly string[]) {
    assertToolName(params.name);
    this.name = params.name;
    this.description = params.description;
    this.isLongRunning = params.isLongRunning ?? false;
    const options = checkedToolOptions(params.name, params, known);
    this.pool = options.pool;
    this.placement = options.placement;
    this.policy = options.policy;
    this.isolation = options.isolation;
    this.memoryLimitBytes = options.memoryLimitBytes;
    this.retryOn = options.retryOn;
    this.actions = options.actions;
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
    this.declareIn(llmRequest);
  }

  /** Whether all it adds to a request is its declaration, so that there is nothing to wait for. @internal */
  get isOnlyDeclared(): boolean {
    return Reflect.get(this, 'processLlmRequest') === Reflect.get(BaseTool.prototype, 'processLlmRequest');
  }

  /** Throws `tool.duplicate`. @internal */
  declareIn(llmRequest: LlmRequest): void {
    const declaration = this.getDeclaration();
    if (!declaration) return;
    // Two toolsets may bring the very same tool; a second declaration of a name is refused by providers.
    if (getOwn(llmRequest.toolsDict, this.name) === this) return;
    assertNotTaken(llmRequest, this);
    setOwn(llmRequest.toolsDict, this.name, this);
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
