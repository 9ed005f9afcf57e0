import { type JsonSchema } from '@skein/engine';
import { type DocumentSchema } from './document-parts';
import { atPointer, isRecord, isReference } from './resolve-reference';

/** What a schema refers to, by the names under which `$defs` has it. */
export type Definitions = Record<string, JsonSchema>;

/** What says nothing of a value, or only to people. */
const LEFT_OUT = [
  'xml',
  'externalDocs',
  'discriminator',
  'example',
  'examples',
  'deprecated',
  '$schema',
  '$id',
];
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
const VALUES = ['enum', 'const', 'default', 'required'];

/**
 * A document's schema as JSON Schema. What it refers to is put into `definitions`, once for each, so that a schema that
 * contains itself stays as small as it is.
 */
export function jsonSchemaOf(document: object, schema: DocumentSchema, definitions: Definitions): JsonSchema {
  return objectForm(convert(schema, { document, definitions }));
}

interface Conversion {
  readonly document: object;
  readonly definitions: Definitions;
}

function convert(schema: unknown, conversion: Conversion): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => convert(entry, conversion));
  if (!isRecord(schema)) return schema;
  if (isReference(schema)) {
    const { $ref, ...beside } = schema as { readonly $ref: string } & Readonly<Record<string, unknown>>;
    return { ...asRecord(convert(beside, conversion)), $ref: defined($ref, conversion) };
  }
  const entries = Object.entries(fromDialect(schema)).filter(
    ([key]) => !LEFT_OUT.includes(key) && !key.startsWith('x-'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, convertField(key, value, conversion)]));
}

function convertField(key: string, value: unknown, conversion: Conversion): unknown {
  if (VALUES.includes(key)) return value;
  if (!BY_NAME.includes(key) || !isRecord(value)) return convert(value, conversion);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, convert(field, conversion)]));
}

function defined(reference: string, conversion: Conversion): string {
  const name = reference.replace(/^#\/(components\/schemas\/)?/, '').replaceAll(/[^\w.-]/g, '_');
  if (!Object.hasOwn(conversion.definitions, name)) {
    // Before what it holds is converted, which may be itself.
    conversion.definitions[name] = {};
    const schema = atPointer(conversion.document, reference, '$ref');
    conversion.definitions[name] = objectForm(convert(schema, conversion));
  }
  return `#/$defs/${name}`;
}

/** What 3.0 spells in its own way: `nullable`, and exclusive bounds that are booleans. */
function fromDialect(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const plain: Record<string, unknown> = { ...rest };
  bound(plain, 'minimum', 'exclusiveMinimum', exclusiveMinimum);
  bound(plain, 'maximum', 'exclusiveMaximum', exclusiveMaximum);
  if (nullable !== true) return plain;
  if (typeof plain.type === 'string') plain.type = [plain.type, 'null'];
  if (Array.isArray(plain.enum) && !plain.enum.includes(null))
    plain.enum = [...(plain.enum as unknown[]), null];
  return plain;
}

function bound(schema: Record<string, unknown>, inclusive: string, exclusive: string, given: unknown): void {
  if (typeof given === 'number') schema[exclusive] = given;
  if (given !== true || schema[inclusive] === undefined) return;
  schema[exclusive] = schema[inclusive];
  Reflect.deleteProperty(schema, inclusive);
}

function objectForm(schema: unknown): JsonSchema {
  if (schema === false) return { not: {} };
  return asRecord(schema);
}

function asRecord(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}
