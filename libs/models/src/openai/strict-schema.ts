import { type JsonSchema } from '@skein/engine';

/** What a schema that is kept to strictly may say: https://platform.openai.com/docs/guides/structured-outputs */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'title', 'description', 'enum', 'const', 'anyOf', '$ref', '$defs', 'definitions'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems'],
  ...['pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);
const FORMATS: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
]);

/**
 * The schema in the form that a model can be held to: each object closed. Nothing where that would ask for something else
 * than the schema does, an optional property for one.
 */
export function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  if (schema.type !== 'object' || schema.anyOf !== undefined) return undefined;
  return closed(schema);
}

function closed(schema: JsonSchema): JsonSchema | undefined {
  if (Object.keys(schema).some((keyword) => !KEYWORDS.has(keyword))) return undefined;
  if (schema.format !== undefined && !FORMATS.has(schema.format)) return undefined;
  const isObject = schema.type === 'object' || (Array.isArray(schema.type) && schema.type.includes('object'));
  if (isObject && !isClosable(schema)) return undefined;
  const result: Record<string, unknown> = { ...schema, ...(isObject ? { additionalProperties: false } : {}) };
  for (const keyword of ['properties', '$defs', 'definitions']) {
    const named = schema[keyword];
    if (named === undefined) continue;
    const entries = Object.entries(named as Record<string, JsonSchema>);
    const items = entries.map(([name, item]) => [name, closed(item)] as const);
    if (items.some(([, item]) => !item)) return undefined;
    result[keyword] = Object.fromEntries(items);
  }
  for (const keyword of ['items', 'anyOf']) {
    const inner = schema[keyword];
    if (inner === undefined) continue;
    const items = (Array.isArray(inner) ? inner : [inner]).map((item) => closed(item as JsonSchema));
    if (items.some((item) => !item)) return undefined;
    result[keyword] = Array.isArray(inner) ? items : items[0];
  }
  return result;
}

function isClosable({ properties, required, additionalProperties }: JsonSchema): boolean {
  if (additionalProperties !== undefined && additionalProperties !== false) return false;
  if (typeof properties !== 'object' || properties === null) return false;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.keys(properties).every((name) => names.includes(name));
}
