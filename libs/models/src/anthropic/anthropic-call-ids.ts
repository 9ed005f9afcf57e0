const TAKEN_AS_IT_IS = /^[a-zA-Z0-9_-]+$/;
const ESCAPED = 'esc_';

/** An id in the letters that the API takes; different ids stay different, and the id can be read back from it. */
export function toAnthropicCallId(id: string): string {
  if (TAKEN_AS_IT_IS.test(id) && !id.startsWith(ESCAPED)) return id;
  const bytes = [...Buffer.from(id)].map((byte) => {
    const letter = String.fromCodePoint(byte);
    return /[a-zA-Z0-9-]/.test(letter) ? letter : `_${byte.toString(16).padStart(2, '0')}`;
  });
  return ESCAPED + bytes.join('');
}

/** Names the calls of one request: each id once, since the API refuses one that repeats, also in another turn. */
export class AnthropicCallIds {
  readonly #given = new Set<string>();

  next(id: string | undefined): string {
    const wanted = toAnthropicCallId(id ?? 'call');
    let name = wanted;
    for (let copy = 2; this.#given.has(name); copy++) name = `${wanted}-${copy}`;
    this.#given.add(name);
    return name;
  }
}
