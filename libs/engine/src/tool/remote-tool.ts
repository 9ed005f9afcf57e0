import { AdkError } from '@skein/contracts';
import { BaseTool } from './base-tool';
import {
  type FunctionDeclaration,
  type Parameters,
  type ParametersSchema,
  parametersOf,
} from './function-declaration';
import { refuseArguments } from './refuse-arguments';
import { TOOL_OPTIONS, type ToolAction, type ToolOptions } from './tool-options';

/** What a tool from elsewhere may do: anything else its agent's author has to say. */
const DEFAULT_ACTIONS: readonly ToolAction[] = ['stateDelta', 'artifactDelta'];

export interface RemoteToolParams extends Omit<ToolOptions, 'placement' | 'isolation' | 'memoryLimitBytes'> {
  readonly name: string;
  readonly description: string;
  readonly parameters?: ParametersSchema;
  /** Which workers run it: those that know a tool of this name. */
  readonly pool: string;
  readonly isLongRunning?: boolean;
}

/** It has no code here, so it cannot be placed. */
const NOT_ITS_OWN = ['placement', 'isolation', 'memoryLimitBytes'];
const OPTIONS: readonly string[] = [
  ...['name', 'description', 'parameters', 'isLongRunning'],
  ...TOOL_OPTIONS.filter((name) => !NOT_ITS_OWN.includes(name)),
];

const MARKER: unique symbol = Symbol.for('skein.RemoteTool');

/** Whether a tool has no code here, also when it came from another copy of this package. */
export function isRemoteTool(tool: BaseTool): boolean {
  return MARKER in tool;
}

/**
 * A tool whose code is not here: what the model is told of it, and the pool whose workers run it, in any language. Of what it
 * does beside answering only what `actions` declares is applied: state and artifacts of the session when left out.
 */
export class RemoteTool extends BaseTool {
  readonly [MARKER] = true;
  readonly #parameters: Parameters;

  constructor({ parameters, actions = DEFAULT_ACTIONS, ...params }: RemoteToolParams) {
    const isOurs = new.target === RemoteTool;
    super({ ...params, actions, ...(!isOurs && { placement: 'worker' }) }, isOurs ? OPTIONS : undefined);
    if (!params.pool) {
      throw new AdkError(
        'invalid',
        'tool.options',
        `The options of tool "${params.name}": pool: is missing.`,
      );
    }
    this.#parameters = parametersOf(params.name, parameters);
  }

  override getDeclaration(): FunctionDeclaration {
    const { jsonSchema } = this.#parameters;
    const { name, description } = this;
    return { name, description, ...(jsonSchema ? { parametersJsonSchema: jsonSchema } : {}) };
  }

  override refuseArguments(args: Readonly<Record<string, unknown>>): string | undefined {
    return refuseArguments(this.name, this.#parameters, args);
  }

  /** Rejects with `tool.remote`: a run in one process has no workers. */
  override runAsync(): Promise<unknown> {
    const reason = `Tool "${this.name}" runs in workers of pool "${this.pool}": its code is not here.`;
    return Promise.reject(new AdkError('unavailable', 'tool.remote', reason));
  }
}
