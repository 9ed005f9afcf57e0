import { type JsonSchema } from './function-declaration';

const SCHEMAS_BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'not']);
/** genai writes these 64 bit numbers as text. */
const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
]);
/** Words of genai that JSON Schema has no use for. */
const DROPPED: ReadonlySet<string> = new Set(['nullable', 'propertyOrdering', 'example']);

/** JSON Schema of a genai Schema: `OBJECT` is `object`, `nullable` a type. JSON Schema itself stays as it is. */
export function fromGenaiSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).flatMap(([key, value]) => convertEntry(key, value));
  const converted: Record<string, unknown> = Object.fromEntries(entries);
  if (converted.type === undefined && isObject(converted.properties)) converted.type = 'object';
  if (schema.example !== undefined) converted.examples ??= [schema.example];
  return schema.nullable === true ? nullable(converted) : converted;
}

function convertEntry(key: string, value: unknown): [string, unknown][] {
  if (DROPPED.has(key) || value === undefined) return [];
  if (key === 'type') return convertType(value);
  // genai marks a choice of texts so; JSON Schema sees it by `enum`.
  if (key === 'format' && value === 'enum') return [];
  if (COUNTS.has(key)) return [[key, typeof value === 'string' ? Number(value) : value]];
  if (SCHEMAS_BY_NAME.has(key) && isObject(value)) {
    return [[key, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, convert(item)]))]];
  }
  if (SCHEMAS.has(key) || key === 'additionalProperties') return [[key, convert(value)]];
  return [[key, value]];
}

function convertType(type: unknown): [string, unknown][] {
  if (typeof type !== 'string') return [['type', type]];
  return type === 'TYPE_UNSPECIFIED' ? [] : [['type', type.toLowerCase()]];
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  return isObject(value) ? fromGenaiSchema(value) : value;
}

function nullable({ enum: choices, ...schema }: Record<string, unknown>): JsonSchema {
  if (typeof schema.type !== 'string') {
    const { description, ...rest } = schema;
    const some = choices === undefined ? rest : { ...rest, enum: choices };
    return { ...(description === undefined ? {} : { description }), anyOf: [some, { type: 'null' }] };
  }
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(choices) ? { enum: [...(choices as unknown[]), null] } : {}),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
