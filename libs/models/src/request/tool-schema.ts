import { type JsonSchema } from '@skein/engine';
import { pointedAt } from './json-pointer';
import { cutTarget, withKeptReferences } from './kept-references';
import { isRecord } from '../reading/is-record';

/**
 * The schema of a tool's arguments as providers take it: an object at the top, whose fields stand there. Claude and OpenAI
 * refuse every request with a tool that has a reference or a choice in that place. Of a choice it asks for what all
 * alternatives ask for, and takes of each field what any of them takes: the engine checks the arguments by the tool's own
 * schema.
 */
export function toolSchema(schema: JsonSchema): JsonSchema {
  const { properties, required, rest } = flat(schema, { whole: schema, known: new Map() }, 0);
  const fields = [...properties].map(([name, schemas]) => [name, anyOfThem([...schemas.values()])] as const);
  return withKeptReferences(
    {
      ...rest,
      type: 'object',
      properties: Object.fromEntries(fields),
      ...(required.length > 0 ? { required } : {}),
    },
    schema,
  );
}

function anyOfThem(schemas: readonly unknown[]): unknown {
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

/** The different schemas of one field, each by its text. */
type Schemas = ReadonlyMap<string, unknown>;

interface Fields {
  readonly properties: ReadonlyMap<string, Schemas>;
  readonly required: readonly string[];
  /** What else is said at the top. */
  readonly rest: Readonly<Record<string, unknown>>;
}

interface Reading {
  readonly whole: JsonSchema;
  /** Each schema is read once: many may refer to it, it among them. */
  readonly known: Map<JsonSchema, Fields>;
}

const NONE: Fields = { properties: new Map(), required: [], rest: {} };
/** One within another; a longer chain would fill the stack. */
const MAX_DEPTH = 64;

function flat(schema: JsonSchema, reading: Reading, depth: number): Fields {
  const known = depth > MAX_DEPTH ? NONE : reading.known.get(schema);
  if (known) return known;
  reading.known.set(schema, NONE);
  const { properties, required, allOf, anyOf, oneOf, $ref, not: _not, enum: _enum, ...rest } = schema;
  const inner = (one: JsonSchema): Fields => flat(one, reading, depth + 1);
  const all = schemasIn([...listOf(allOf), pointedAt($ref, reading.whole)]).map(inner);
  const choices = [anyOf, oneOf].map((choice) => schemasIn(listOf(choice)).map(inner));
  const names = [
    ...listOf(required).filter((name) => typeof name === 'string'),
    ...all.flatMap((one) => one.required),
    ...choices.flatMap(inAll),
  ];
  const fields = {
    // What holds in any case says more of a field than the choices do.
    properties: new Map([
      ...anyOfEach(choices.flat()),
      ...all.flatMap((one) => [...one.properties]),
      ...own(properties, reading.whole),
    ]),
    required: [...new Set(names)],
    rest,
  };
  reading.known.set(schema, fields);
  return fields;
}

function anyOfEach(choices: readonly Fields[]): ReadonlyMap<string, Schemas> {
  const together = new Map<string, Map<string, unknown>>();
  for (const [name, schemas] of [...new Set(choices)].flatMap(({ properties }) => [...properties])) {
    together.set(name, new Map([...(together.get(name) ?? []), ...schemas]));
  }
  return together;
}

function own(properties: unknown, whole: JsonSchema): readonly (readonly [string, Schemas])[] {
  if (!isRecord(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => {
    // Where a field of one alternative is as it is in another, it is the same one.
    const isReference = isRecord(schema) && Object.keys(schema).length === 1;
    const meant = (isReference ? cutTarget(schema.$ref, whole) : undefined) ?? schema;
    return [name, new Map([[JSON.stringify(meant), meant]])] as const;
  });
}

function inAll([first, ...others]: readonly Fields[]): readonly string[] {
  return (first?.required ?? []).filter((name) => others.every(({ required }) => required.includes(name)));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function schemasIn(values: readonly unknown[]): readonly JsonSchema[] {
  return values.filter(isRecord);
}
