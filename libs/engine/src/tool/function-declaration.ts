import { AdkError } from '@skein/contracts';
import { z } from 'zod';

/** What a model is told of a tool. `parametersJsonSchema` is JSON Schema of an object. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema?: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** How a tool's author describes its arguments: zod 4, JSON Schema or genai Schema, told apart by shape. */
export type ParametersSchema = z.ZodType | JsonSchema;

/** A description of arguments made usable: what the model is shown, and how arguments are read. */
export interface Parameters {
  readonly jsonSchema: JsonSchema | undefined;
  readonly parse: (args: Readonly<Record<string, unknown>>) => unknown;
}

/** Reads an author's schema by its shape, since his copy of zod need not be ours. */
export function parametersOf(toolName: string, schema: ParametersSchema | undefined): Parameters {
  if (!schema) return { jsonSchema: undefined, parse: (args) => args };
  if (isZod4(schema)) {
    return {
      jsonSchema: withoutDialect(z.toJSONSchema(schema, { io: 'input' })),
      parse: (args) => schema.parse(args),
    };
  }
  if ('_def' in schema) {
    throw new AdkError(
      'invalid',
      'tool.schema',
      `Tool "${toolName}": zod 3 schemas are not supported; use zod 4.`,
    );
  }
  return { jsonSchema: lowerCaseTypes(schema) as JsonSchema, parse: (args) => args };
}

function isZod4(schema: ParametersSchema): schema is z.ZodType {
  return '_zod' in schema;
}

function withoutDialect({ $schema: _dialect, ...schema }: Record<string, unknown>): JsonSchema {
  return schema;
}

/** genai writes `OBJECT` where JSON Schema writes `object`; everything else is the same. */
function lowerCaseTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerCaseTypes);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === 'type' && typeof value === 'string' ? [key, value.toLowerCase()] : [key, lowerCaseTypes(value)],
    ),
  );
}
