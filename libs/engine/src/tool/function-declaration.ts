import { AdkError } from '@skein/contracts';
import { z } from 'zod';
import { describeError } from '../error/describe-error';
import { assertJson, assertObjectSchema } from './assert-object-schema';
import { fromGenaiSchema } from './genai-schema';
import { fromZod3, isZod3, type Zod3Schema } from './zod3-schema';

/** What a model is told of a tool. `parametersJsonSchema` is JSON Schema of an object. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema?: JsonSchema;
}

/** A declaration as google-genai types it: `parameters` is a genai Schema. */
export interface GivenDeclaration {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: object;
  readonly parametersJsonSchema?: unknown;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** How an author describes arguments: zod 4, zod 3, JSON Schema or genai Schema, told apart by shape. */
export type ParametersSchema = z.ZodType | Zod3Schema | JsonSchema | GenaiSchema;

/** As google-genai types it; `type` is one of its `Type`. */
export interface GenaiSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly items?: object;
  readonly anyOf?: readonly object[];
  readonly enum?: readonly string[];
}

/** A description of arguments made usable: what the model is shown, and how arguments are read. */
export interface Parameters {
  readonly jsonSchema: JsonSchema | undefined;
  readonly parse: (args: Readonly<Record<string, unknown>>) => unknown;
}

/**
 * Reads an author's schema by its shape, since his copy of zod need not be ours. Throws `tool.schema`, naming its owner,
 * for one that no model can be shown.
 */
export function parametersOf(owner: string, schema: ParametersSchema | undefined): Parameters {
  if (!schema) return { jsonSchema: undefined, parse: (args) => args };
  try {
    const jsonSchema = jsonSchemaOf(schema);
    assertJson(jsonSchema);
    assertObjectSchema(jsonSchema);
    return { jsonSchema, parse: isZod(schema) ? (args) => schema.parse(args) : (args) => args };
  } catch (error) {
    const reason = `The schema of "${owner}" cannot be shown to a model: ${describeError(error)}`;
    throw new AdkError('invalid', 'tool.schema', reason, { cause: error });
  }
}

/** A given declaration as providers are told it. Throws `tool.schema` for one that no model can be shown. */
export function declarationOf(
  { name, description }: { readonly name: string; readonly description: string },
  given: GivenDeclaration,
): FunctionDeclaration {
  const schema = (given.parametersJsonSchema ?? given.parameters) as JsonSchema | undefined;
  const { jsonSchema } = parametersOf(name, schema);
  return {
    name: given.name ?? name,
    description: given.description ?? description,
    ...(jsonSchema ? { parametersJsonSchema: jsonSchema } : {}),
  };
}

function jsonSchemaOf(schema: ParametersSchema): JsonSchema {
  if (isZod4(schema)) return withoutDialect(z.toJSONSchema(schema, { io: 'input' }));
  if (isZod3(schema)) return fromZod3(schema);
  // Before it is converted, which would not come to an end in a schema that contains itself.
  assertJson(schema);
  return fromGenaiSchema(schema as JsonSchema);
}

function isZod(schema: ParametersSchema): schema is z.ZodType | Zod3Schema {
  return isZod4(schema) || isZod3(schema);
}

function isZod4(schema: ParametersSchema): schema is z.ZodType {
  return '_zod' in schema;
}

function withoutDialect({ $schema: _dialect, ...schema }: Record<string, unknown>): JsonSchema {
  return schema;
}
