import { AdkError, type JsonValue, MAX_JSON_DEPTH, MAX_JSON_VALUES } from '@skein/contracts';

const NUL = /\0/g;
const ASCII = /^[\0-\x7f]*$/;
const PLAIN = /^[ -~]*$/;

/** One pass over a value: the objects above the current one, and how much of the bound is left. */
interface Walk {
  readonly ancestors: object[];
  readonly maxDepth: number;
  /** Whether what JSON would drop or make something else of is refused. */
  readonly isStrict: boolean;
  valuesLeft: number;
}

/**
 * Makes any value storable JSON, as `JSON.stringify` would read it: text well-formed and without NUL (both become
 * U+FFFD, since Postgres refuses them and a model must not be able to wedge a session), object keys in the order jsonb
 * keeps them, so that a loaded value equals the live one. Throws `json.bigint`, `json.cycle`, `json.too-deep` or
 * `json.too-many`.
 */
export function cleanJson(value: unknown, maxDepth = MAX_JSON_DEPTH): JsonValue {
  return clean(value, { ancestors: [], maxDepth, isStrict: false, valuesLeft: MAX_JSON_VALUES }) ?? null;
}

/**
 * The same, of a value that is read again as what it was: throws `json.no-form` too, for a function, a symbol, a number that is
 * none, and for objects of the language whose content JSON does not see, as a Map. A field that holds undefined is left out.
 */
export function losslessJson(value: unknown, maxDepth = MAX_JSON_DEPTH): JsonValue {
  return clean(value, { ancestors: [], maxDepth, isStrict: true, valuesLeft: MAX_JSON_VALUES }) ?? null;
}

function clean(raw: unknown, walk: Walk): JsonValue | undefined {
  const value = hasToJson(raw) ? raw.toJSON() : raw;
  switch (typeof value) {
    case 'string':
      return cleanText(value);
    case 'number':
      // `|| 0` because jsonb would keep the sign of -0, which JSON.stringify drops.
      if (Number.isFinite(value)) return value || 0;
      if (walk.isStrict) throw noForm(String(value));
      return null;
    case 'boolean':
      return value;
    case 'bigint':
      if (walk.isStrict) throw noForm('A BigInt');
      throw new AdkError('invalid', 'json.bigint', 'A BigInt has no JSON form; return a number or a string.');
    case 'object':
      return value === null ? null : cleanContainer(value, walk);
    case 'undefined':
      return undefined;
    case 'function':
    case 'symbol':
      if (walk.isStrict) throw noForm(`A ${typeof value}`);
      return undefined;
  }
}

function cleanContainer(value: object, walk: Walk): JsonValue {
  walk.ancestors.push(value);
  if (walk.ancestors.length > walk.maxDepth) throw tooDeep(walk);
  if (walk.isStrict) refuseOpaque(value);
  const cleaned = Array.isArray(value) ? cleanArray(value, walk) : cleanObject(value, walk);
  walk.ancestors.pop();
  return cleaned;
}

function cleanArray(items: readonly unknown[], walk: Walk): JsonValue {
  // By its length, before it is walked: a sparse array of a billion holes takes no room and half a minute.
  countOff(items.length, walk);
  const cleaned: JsonValue[] = [];
  for (const item of items) cleaned.push(clean(item, walk) ?? null);
  return cleaned;
}

function cleanObject(value: object, walk: Walk): JsonValue {
  const keys = Object.keys(value);
  countOff(keys.length, walk);
  // The keys of nearly all objects; every event passes here, so they are sorted without a pair for each.
  if (!keys.every(isPlain)) return cleanEntries(value, walk);
  const cleaned: Record<string, JsonValue> = {};
  for (const key of inOrder(keys)) {
    const item = clean((value as Readonly<Record<string, unknown>>)[key], walk);
    if (item !== undefined) cleaned[key] = item;
  }
  return cleaned;
}

/** Two keys may be the same once they are clean: then the later one counts. */
function cleanEntries(value: object, walk: Walk): JsonValue {
  const cleaned: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    const cleanItem = clean(item, walk);
    if (cleanItem !== undefined) cleaned.push([cleanText(key), cleanItem]);
  }
  cleaned.sort(([one], [other]) => compareKeys(one, other));
  // fromEntries defines own properties, so a key `__proto__` stays a key.
  return Object.fromEntries(cleaned);
}

function countOff(count: number, walk: Walk): void {
  walk.valuesLeft -= count;
  if (walk.valuesLeft < 0) {
    throw new AdkError('invalid', 'json.too-many', `The value holds more than ${MAX_JSON_VALUES} values.`);
  }
}

/** Text that Postgres can store; the same text when it already can. */
function cleanText(text: string): string {
  return (text.includes('\0') ? text.replace(NUL, '\ufffd') : text).toWellFormed();
}

/** A key that is stored as it is, and may be assigned. */
function isPlain(key: string): boolean {
  return PLAIN.test(key) && key !== '__proto__';
}

/** Up to here one key after the other is put in its place: V8's own sort makes lists of its own first, also for three. */
const FEW_KEYS = 16;

/** In place. Most come in order: they were cleaned before, or have few. */
function inOrder(keys: string[]): string[] {
  if (keys.length > FEW_KEYS) return keys.sort(comparePlain);
  for (let next = 1; next < keys.length; next++) {
    const key = keys[next] ?? '';
    let at = next;
    for (; at > 0 && comparePlain(keys[at - 1] ?? '', key) > 0; at--) keys[at] = keys[at - 1] ?? '';
    keys[at] = key;
  }
  return keys;
}

function comparePlain(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}

/** jsonb orders keys by their length in bytes, then by their bytes. */
function compareKeys(one: string, other: string): number {
  if (ASCII.test(one) && ASCII.test(other)) return comparePlain(one, other);
  return (
    Buffer.byteLength(one) - Buffer.byteLength(other) || Buffer.compare(Buffer.from(one), Buffer.from(other))
  );
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}

/** What is neither a list nor a record: Map, Set, Error, RegExp, bytes and the like. */
function refuseOpaque(value: object): void {
  if (Array.isArray(value)) return;
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind !== 'Object') throw noForm(`${/^[AEIO]/.test(kind) ? 'An' : 'A'} ${kind}`);
}

function noForm(what: string): AdkError {
  return new AdkError(
    'invalid',
    'json.no-form',
    `${what} has no JSON form; give what JSON has: text, numbers, true, false, null, lists and plain objects.`,
  );
}

function tooDeep({ ancestors, maxDepth }: Walk): AdkError {
  return new Set(ancestors).size < ancestors.length
    ? new AdkError('invalid', 'json.cycle', 'The value contains itself, so it has no JSON form.')
    : new AdkError('invalid', 'json.too-deep', `The value is nested deeper than ${maxDepth} levels.`);
}
