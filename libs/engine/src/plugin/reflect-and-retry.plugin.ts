import { AdkError } from '@skein/contracts';
import { type Context } from '../agent/context';
import { describeError } from '../error/describe-error';
import { APP_PREFIX, TEMP_PREFIX } from '../state/state-scope';
import { BasePlugin, type ToolHookParams } from './base-plugin';
import { giveUpGuidance, retryGuidance } from './retry-guidance';

type Dict = Record<string, unknown>;

/** Over which calls failures are counted: those of one invocation, or all of the app. */
export type TrackingScope = 'invocation' | 'global';

export interface ReflectAndRetryOptions {
  /** How many failures of a tool in a row the model may try to mend; 0 for none. */
  readonly maxRetries?: number;
  /** After that: the run fails (`true`), or the model is told to do without the tool. */
  readonly throwExceptionIfRetryExceeded?: boolean;
  readonly trackingScope?: TrackingScope;
  readonly name?: string;
}

export const REFLECT_AND_RETRY_RESPONSE_TYPE = 'ERROR_HANDLED_BY_REFLECT_AND_RETRY_PLUGIN';

/**
 * Answers a failed tool call with what went wrong and how to go on, so that the model tries again in another way. The
 * counts are in state, not in this object: the next call of a run may be counted in another process.
 */
export class ReflectAndRetryToolPlugin extends BasePlugin {
  readonly #maxRetries: number;
  readonly #throwsIfExceeded: boolean;
  readonly #scope: TrackingScope;

  /** Throws `plugin.max-retries` for a number below 0. */
  constructor(options: ReflectAndRetryOptions = {}) {
    super(options.name ?? 'reflect_retry_tool_plugin');
    this.#maxRetries = options.maxRetries ?? 3;
    this.#throwsIfExceeded = options.throwExceptionIfRetryExceeded ?? true;
    this.#scope = options.trackingScope ?? 'invocation';
    if (!(this.#maxRetries >= 0)) {
      throw new AdkError('invalid', 'plugin.max-retries', 'maxRetries must not be negative.');
    }
  }

  /** For subclasses: what is wrong with a result although the tool did not throw. */
  async extractErrorFromResult(_params: ToolHookParams & { readonly result: Dict }): Promise<unknown> {
    return undefined;
  }

  override async afterToolCallback(
    params: ToolHookParams & { readonly result: Dict },
  ): Promise<Dict | undefined> {
    if (params.result.response_type === REFLECT_AND_RETRY_RESPONSE_TYPE) return undefined;
    const error = await this.extractErrorFromResult(params);
    if (error !== undefined && error !== null) return this.#answer(params, error);
    const key = this.#keyOf(params);
    if (params.toolContext.state.get(key)) params.toolContext.state.set(key, 0);
    return undefined;
  }

  override async onToolErrorCallback(params: ToolHookParams & { readonly error: Error }): Promise<Dict> {
    return this.#answer(params, params.error);
  }

  #answer(params: ToolHookParams, error: unknown): Dict {
    const { tool, toolArgs, toolContext } = params;
    const failures = countUp(toolContext, this.#keyOf(params));
    const failure = { toolName: tool.name, toolArgs, reason: reasonOf(error), maxRetries: this.#maxRetries };
    if (failures <= this.#maxRetries) return response(error, failures, retryGuidance(failure, failures));
    if (this.#throwsIfExceeded) throw asThrowable(error);
    return response(error, this.#maxRetries, giveUpGuidance(failure));
  }

  #keyOf({ tool }: ToolHookParams): string {
    return `${this.#scope === 'global' ? APP_PREFIX : TEMP_PREFIX}${this.name}.${tool.name}`;
  }
}

/** Calls of one turn see the count of the turn before: together they are one try of the model. */
function countUp({ state }: Context, key: string): number {
  const count = Number(state.get(key) ?? 0) + 1;
  state.set(key, count);
  return count;
}

function response(error: unknown, retryCount: number, guidance: string): Dict {
  return {
    response_type: REFLECT_AND_RETRY_RESPONSE_TYPE,
    error_type: error instanceof Error ? error.name : 'ToolError',
    error_details: error instanceof Error ? describeError(error) : textOf(error),
    retry_count: retryCount,
    reflection_guidance: guidance,
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${describeError(error)}` : textOf(error);
}

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function asThrowable(error: unknown): Error {
  return error instanceof Error ? error : new Error(textOf(error));
}
