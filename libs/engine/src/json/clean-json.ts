import { AdkError, type JsonValue } from '@skein/contracts';

/** Deeper values are refused: they would overflow a stack here or in Postgres. */
const MAX_DEPTH = 64;
const NUL = /\0/g;

/**
 * Makes any value storable JSON, as `JSON.stringify` would read it: text well-formed and without NUL (both become
 * U+FFFD, since Postgres refuses them and a model must not be able to wedge a session), object keys in the order jsonb
 * keeps them, so that a loaded value equals the live one. Throws `json.bigint`, `json.cycle` or `json.too-deep`.
 */
export function cleanJson(value: unknown): JsonValue {
  return clean(value, []) ?? null;
}

function clean(raw: unknown, ancestors: object[]): JsonValue | undefined {
  const value = hasToJson(raw) ? raw.toJSON() : raw;
  switch (typeof value) {
    case 'string':
      return cleanText(value);
    case 'number':
      // `|| 0` because jsonb would keep the sign of -0, which JSON.stringify drops.
      return Number.isFinite(value) ? value || 0 : null;
    case 'boolean':
      return value;
    case 'bigint':
      throw new AdkError('invalid', 'json.bigint', 'A BigInt has no JSON form; return a number or a string.');
    case 'object':
      return value === null ? null : cleanContainer(value, ancestors);
    case 'undefined':
    case 'function':
    case 'symbol':
      return undefined;
  }
}

function cleanContainer(value: object, ancestors: object[]): JsonValue {
  ancestors.push(value);
  if (ancestors.length > MAX_DEPTH) throw tooDeep(ancestors);
  const cleaned = Array.isArray(value)
    ? value.map((item) => clean(item, ancestors) ?? null)
    : cleanObject(value, ancestors);
  ancestors.pop();
  return cleaned;
}

function cleanObject(value: object, ancestors: object[]): JsonValue {
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    const cleaned = clean(item, ancestors);
    if (cleaned !== undefined) entries.push([cleanText(key), cleaned]);
  }
  entries.sort(([one], [other]) => compareKeys(one, other));
  // fromEntries defines own properties, so a key `__proto__` stays a key.
  return Object.fromEntries(entries);
}

/** Text that Postgres can store; the same text when it already can. */
function cleanText(text: string): string {
  return (text.includes('\0') ? text.replace(NUL, '\ufffd') : text).toWellFormed();
}

/** jsonb orders keys by their length in bytes, then by their bytes. */
function compareKeys(one: string, other: string): number {
  return (
    Buffer.byteLength(one) - Buffer.byteLength(other) || Buffer.compare(Buffer.from(one), Buffer.from(other))
  );
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}

function tooDeep(ancestors: readonly object[]): AdkError {
  return new Set(ancestors).size < ancestors.length
    ? new AdkError('invalid', 'json.cycle', 'The value contains itself, so it has no JSON form.')
    : new AdkError('invalid', 'json.too-deep', `The value is nested deeper than ${MAX_DEPTH} levels.`);
}
