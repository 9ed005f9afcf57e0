import { type JsonSchema } from '@skein/engine';
import { isRecord } from '../reading/is-record';
import { pointedAt } from './json-pointer';

/** What an object at the top does not have any more, as in `#/anyOf/0/properties/a`. */
const CUT = /^#\/(?:anyOf|oneOf|allOf|not)(?:\/|$)/;

/** What a reference into what was cut leads to in the whole schema; nothing for every other one. */
export function cutTarget(reference: unknown, whole: JsonSchema): JsonSchema | boolean | undefined {
  if (typeof reference !== 'string' || !CUT.test(reference)) return undefined;
  const target = pointedAt(reference, whole);
  return typeof target === 'boolean' || isRecord(target) ? target : undefined;
}

/** The schema, which was made of the whole one, with what it refers to and does not have any more among its `$defs`. */
export function withKeptReferences(schema: JsonSchema, whole: JsonSchema): JsonSchema {
  const given = isRecord(schema.$defs) ? schema.$defs : {};
  const free = freeNames(given);
  const names = new Map<string, string>();
  const moved = (reference: string): string => {
    const name = names.get(reference) ?? free.next().value;
    names.set(reference, name);
    return `#/$defs/${name}`;
  };
  const rewritten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, item]): [string, unknown] =>
      key === '$ref' && cutTarget(item, whole) !== undefined
        ? [key, moved(String(item))]
        : [key, rewritten(item)],
    );
    return Object.fromEntries(entries);
  };

  const told = rewritten(schema) as JsonSchema;
  if (names.size === 0) return schema;
  const kept: Record<string, unknown> = {};
  // More names come while it goes: what is kept refers to more.
  for (const [reference, name] of names) kept[name] = rewritten(cutTarget(reference, whole));
  return { ...told, $defs: { ...(told.$defs as JsonSchema | undefined), ...kept } };
}

function* freeNames(taken: object): Generator<string, never> {
  for (let number = 1; ; number++) {
    const name = `kept${number}`;
    if (!Object.hasOwn(taken, name)) yield name;
  }
}
