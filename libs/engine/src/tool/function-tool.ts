import { AdkError } from '@skein/contracts';
import { type z } from 'zod';
import { type Context } from '../agent/context';
import { BaseTool, type RunToolRequest } from './base-tool';
import {
  type FunctionDeclaration,
  type Parameters,
  type ParametersSchema,
  parametersOf,
} from './function-declaration';
import { refuseArguments } from './refuse-arguments';
import { settled } from './run-generator';
import { TOOL_OPTIONS, type ToolOptions } from './tool-options';
import { type Zod3Schema } from './zod3-schema';

/** What `execute` gets: the parsed arguments of a zod schema, else what the model sent. */
export type ToolArguments<T> =
  T extends z.ZodType<infer Output>
    ? Output
    : T extends Zod3Schema<infer Output>
      ? Output
      : Record<string, unknown>;

export type RequireConfirmation<T> =
  boolean | ((args: ToolArguments<T>, toolContext: Context) => boolean | Promise<boolean>);

export interface FunctionToolParams<T extends ParametersSchema | undefined> extends ToolOptions {
  /** The function's own name when omitted. */
  readonly name?: string;
  readonly description: string;
  readonly parameters?: T;
  /** May be a generator: what it yields is the call's progress. */
  readonly execute: (args: ToolArguments<T>, toolContext: Context) => unknown;
  readonly isLongRunning?: boolean;
  /** Whether a human has to allow a call first: always, or as the function says of its arguments (B33). */
  readonly requireConfirmation?: RequireConfirmation<T>;
}

const OWN_OPTIONS = ['name', 'description', 'parameters', 'execute', 'isLongRunning', 'requireConfirmation'];
/** The names of all options of a tool made of a function. */
export const FUNCTION_TOOL_OPTIONS: readonly string[] = [...OWN_OPTIONS, ...TOOL_OPTIONS];

/** A tool made of a function. It runs in a tool worker unless placed inline. */
export class FunctionTool<T extends ParametersSchema | undefined = undefined> extends BaseTool {
  readonly #parameters: Parameters;
  readonly #execute: FunctionToolParams<T>['execute'];
  readonly #requireConfirmation: RequireConfirmation<T>;

  /** Throws as BaseTool does, also for an option there is none of; a class of an author's own may have others. */
  constructor(
    params: FunctionToolParams<T>,
    known = new.target === FunctionTool ? FUNCTION_TOOL_OPTIONS : undefined,
  ) {
    const name = nameOf(params);
    super({ ...params, name }, known);
    this.#parameters = parametersOf(name, params.parameters);
    this.#execute = params.execute;
    this.#requireConfirmation = params.requireConfirmation ?? false;
  }

  override getDeclaration(): FunctionDeclaration {
    const { jsonSchema } = this.#parameters;
    return {
      name: this.name,
      description: this.description,
      ...(jsonSchema ? { parametersJsonSchema: jsonSchema } : {}),
    };
  }

  override refuseArguments(args: Readonly<Record<string, unknown>>): string | undefined {
    return refuseArguments(this.name, this.#parameters, args);
  }

  override async checkRequireConfirmation(
    args: Readonly<Record<string, unknown>>,
    toolContext: Context,
  ): Promise<boolean> {
    if (typeof this.#requireConfirmation === 'boolean') return this.#requireConfirmation;
    return this.#requireConfirmation(this.#parameters.parse(args) as ToolArguments<T>, toolContext);
  }

  override async runAsync({ args, toolContext }: RunToolRequest): Promise<unknown> {
    // `parse` answers what the schema T infers; for other schemas T's arguments are the plain record.
    const given = this.#execute(this.#parameters.parse(args) as ToolArguments<T>, toolContext);
    return settled(this.name, given, toolContext);
  }
}

/** A function written in its place is called `execute` by the language, which is nobody's choice. */
function nameOf({
  name,
  execute,
}: {
  readonly name?: string;
  readonly execute: { readonly name: string };
}): string {
  const chosen = name ?? (execute.name === 'execute' ? '' : execute.name);
  if (chosen) return chosen;
  throw new AdkError('invalid', 'tool.name', 'A tool needs a name: give `name`, or a named function.');
}
