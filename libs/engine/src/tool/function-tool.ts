import { AdkError } from '@skein/contracts';
import { type z } from 'zod';
import { type Context } from '../agent/context';
import { describeError } from '../error/describe-error';
import { BaseTool, type RunToolRequest, type ToolOptions } from './base-tool';
import {
  type FunctionDeclaration,
  type Parameters,
  type ParametersSchema,
  parametersOf,
} from './function-declaration';

/** What `execute` gets: the parsed arguments of a zod schema, else what the model sent. */
export type ToolArguments<T> = T extends z.ZodType<infer Output> ? Output : Record<string, unknown>;

export interface FunctionToolParams<T extends ParametersSchema | undefined> extends ToolOptions {
  /** The function's own name when omitted. */
  readonly name?: string;
  readonly description: string;
  readonly parameters?: T;
  readonly execute: (args: ToolArguments<T>, toolContext: Context) => unknown;
  readonly isLongRunning?: boolean;
}

/** A tool made of a function. It runs in a tool worker unless placed inline. */
export class FunctionTool<T extends ParametersSchema | undefined = undefined> extends BaseTool {
  readonly #parameters: Parameters;
  readonly #execute: FunctionToolParams<T>['execute'];

  constructor(params: FunctionToolParams<T>) {
    const name = params.name ?? params.execute.name;
    if (!name || name === 'execute') {
      throw new AdkError('invalid', 'tool.name', 'A tool needs a name: give `name`, or a named function.');
    }
    super({ ...params, name });
    this.#parameters = parametersOf(name, params.parameters);
    this.#execute = params.execute;
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
    const missing = requiredOf(this.#parameters.jsonSchema).filter((name) => args[name] === undefined);
    if (missing.length > 0) return missingArguments(this.name, missing);
    try {
      this.#parameters.parse(args);
      return undefined;
    } catch (error) {
      return invalidArguments(this.name, error);
    }
  }

  override async runAsync({ args, toolContext }: RunToolRequest): Promise<unknown> {
    // `parse` answers what the schema T infers; for other schemas T's arguments are the plain record.
    return this.#execute(this.#parameters.parse(args) as ToolArguments<T>, toolContext);
  }
}

function requiredOf(jsonSchema: Parameters['jsonSchema']): string[] {
  const required = jsonSchema?.required;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function missingArguments(tool: string, missing: readonly string[]): string {
  return [
    `Invoking \`${tool}()\` failed as the following mandatory input parameters are not present:`,
    ...missing,
    'You could retry calling this tool, but it is IMPORTANT for you to provide all the mandatory parameters.',
  ].join('\n');
}

function invalidArguments(tool: string, error: unknown): string {
  return `Invoking \`${tool}()\` failed as its arguments do not match its parameters:\n${describeError(error)}`;
}
