export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonRecord = Record<string, Json>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEvent(value: unknown): value is JsonRecord & { readonly author: Json } {
  return isRecord(value) && 'invocationId' in value && 'author' in value;
}

/** Every object in a value, outermost first. */
export function* records(value: Json): Generator<JsonRecord, void> {
  if (isRecord(value)) yield value;
  if (typeof value === 'object' && value !== null)
    for (const held of Object.values(value)) yield* records(held);
}

/** A value with every object in it replaced, innermost first. */
export function mapRecords(value: Json, replace: (record: JsonRecord) => JsonRecord): Json {
  if (Array.isArray(value)) return value.map((item) => mapRecords(item, replace));
  if (!isRecord(value)) return value;
  const mapped = Object.entries(value).map(([key, held]) => [key, mapRecords(held, replace)]);
  return replace(Object.fromEntries(mapped) as JsonRecord);
}
