/** Whether a JSON value has about `length` characters at most as text. It is looked at no further than that, however large it is. */
export function isShortJson(value: unknown, length: number): boolean {
  return lengthLeft(value, length) >= 0;
}

/** What is left of a length behind the value; below zero it is used up. */
function lengthLeft(value: unknown, length: number): number {
  if (typeof value === 'string') return length - value.length - 2;
  if (typeof value !== 'object' || value === null) return length - 4;
  let left = length - 2;
  for (const key in value) {
    if (left < 0) break;
    // The index of an item counts as a key does: it is the comma, and a little more.
    left = lengthLeft((value as Readonly<Record<string, unknown>>)[key], left - key.length - 1);
  }
  return left;
}
