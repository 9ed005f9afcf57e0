import { badDocument } from './document-parts';

type Json = Readonly<Record<string, unknown>>;

/** What a part stands for: itself, or what its `$ref` leads to, however often. Throws `openapi.document`. */
export function resolved(document: object, part: unknown, place: string): unknown {
  let value = part;
  for (let steps = 0; isReference(value); steps += 1) {
    if (steps > 50) throw badDocument(`${place}: its references lead back to themselves.`);
    value = atPointer(document, value.$ref, place);
  }
  return value;
}

export function isReference(value: unknown): value is { readonly $ref: string } {
  return isRecord(value) && typeof value.$ref === 'string';
}

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a reference such as `#/components/schemas/Pet` names. */
export function atPointer(document: object, reference: string, place: string): unknown {
  let value: unknown = document;
  for (const key of keysOf(reference)) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    if (!isThere) throw badDocument(`${place}: ${reference.slice(0, 200)} leads to nothing.`);
    value = Reflect.get(value as object, key);
  }
  return value;
}

function keysOf(reference: string): string[] {
  const keys = reference.slice(1).split('/').slice(1);
  return keys.map((key) => decoded(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // A bare percent sign is part of the name.
    return key;
  }
}
