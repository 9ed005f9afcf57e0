/**
 * Sets a field whose name somebody else chose: a model, a user, a file. Assigned, `__proto__` would become the record's
 * prototype instead of a key.
 */
export function setOwn<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A field's value if it was put there: every object has a `constructor`. */
export function getOwn<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
