import { type JsonSchema } from '@skein/engine';

const CHOICES = ['anyOf', 'oneOf'] as const;

/**
 * The schema of a tool's arguments as providers take it: an object at the top, whose fields stand there. Claude and OpenAI
 * refuse every request with a tool that has a reference or a choice in that place. Of a choice it asks for what all
 * alternatives ask for: the engine checks the arguments by the tool's own schema.
 */
export function toolSchema(schema: JsonSchema): JsonSchema {
  const { properties, required, rest } = flat(schema, schema, 0);
  return { ...rest, type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

interface Fields {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** What else is said at the top. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** References may go round in circles. */
const MAX_DEPTH = 16;

function flat(schema: JsonSchema, root: JsonSchema, depth: number): Fields {
  const { properties, required, allOf, anyOf, oneOf, $ref, not: _not, enum: _enum, ...rest } = schema;
  const inner = (one: JsonSchema): Fields => flat(one, root, depth + 1);
  const referred = depth < MAX_DEPTH ? found($ref, root) : undefined;
  const all = depth < MAX_DEPTH ? [...schemas(allOf), ...(referred ? [referred] : [])].map(inner) : [];
  const choices =
    depth < MAX_DEPTH ? CHOICES.map((keyword) => schemas({ anyOf, oneOf }[keyword]).map(inner)) : [];
  const names = [
    ...(Array.isArray(required) ? (required as string[]) : []),
    ...all.flatMap((one) => one.required),
    ...choices.flatMap(inAll),
  ];
  return {
    properties: Object.assign(
      {},
      ...[...choices.flat(), ...all].map((one) => one.properties),
      isObject(properties) ? properties : {},
    ) as Fields['properties'],
    required: [...new Set(names)],
    rest,
  };
}

function inAll([first, ...others]: readonly Fields[]): readonly string[] {
  return (first?.required ?? []).filter((name) => others.every(({ required }) => required.includes(name)));
}

function found(reference: unknown, root: JsonSchema): JsonSchema | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const name of reference.slice(2).split('/')) {
    place = isObject(place) ? place[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return isObject(place) ? place : undefined;
}

function schemas(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
