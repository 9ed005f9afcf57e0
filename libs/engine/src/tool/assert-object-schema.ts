import { type JsonSchema } from './function-declaration';

const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);
/** Below these anything may stand. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples', 'required']);
/** The keys below these are names somebody chose. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

type Path = readonly string[];

/** Refuses what cannot be written down as JSON. */
export function assertJson(value: unknown, path: Path = [], above: readonly object[] = []): void {
  if (typeof value === 'function' || typeof value === 'bigint' || typeof value === 'symbol') {
    throw new Error(`${told(path)} is a ${typeof value}, which has no JSON form.`);
  }
  if (typeof value !== 'object' || value === null) return;
  if (above.includes(value)) throw new Error(`${told(path)} contains itself.`);
  for (const [key, item] of Object.entries(value)) assertJson(item, [...path, key], [...above, value]);
}

/** Refuses what is no JSON Schema of an object: no provider takes anything else for a function's arguments. */
export function assertObjectSchema(schema: JsonSchema): void {
  if (schema.type !== 'object') throw new Error('it must describe an object.');
  assertSchema(schema, [], schema);
}

function assertSchema(value: unknown, path: Path, root: JsonSchema): void {
  if (typeof value !== 'object' || value === null) return;
  const isNamed = BY_NAME.has(path.at(-1) ?? '');
  for (const [key, item] of Object.entries(value)) {
    if (!isNamed && DATA.has(key)) continue;
    const below = [...path, key];
    if (!isNamed && key === '$ref') assertResolves(item, below, root);
    if (!isNamed && key === 'type') assertType(item, below);
    assertSchema(item, below, root);
  }
}

function assertType(type: unknown, path: Path): void {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (types.every((name) => TYPES.has(name))) return;
  throw new Error(`${told(path)} is ${JSON.stringify(type)}, which is no type.`);
}

/** References to elsewhere would have to be fetched, and a dangling one tells a model nothing. */
function assertResolves(reference: unknown, path: Path, root: JsonSchema): void {
  const [start, ...keys] = String(reference).split('/');
  const target = keys.reduce<unknown>((schema, key) => fieldOf(schema, unescaped(key)), root);
  if (start === '#' && target !== undefined) return;
  throw new Error(`${told(path)} refers to ${JSON.stringify(reference)}, which is not in it.`);
}

/** As a JSON pointer in a URI writes it. */
function unescaped(key: string): string {
  return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
}

function fieldOf(schema: unknown, key: string): unknown {
  if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key)) return undefined;
  return (schema as Readonly<Record<string, unknown>>)[key];
}

function told(path: Path): string {
  return `"${path.join('.')}"`;
}
