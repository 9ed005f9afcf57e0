/** Whether two values are the same JSON; the order of keys does not matter. */
export function jsonEquals(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [entries, others] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && jsonEquals(value, others.get(key)))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
