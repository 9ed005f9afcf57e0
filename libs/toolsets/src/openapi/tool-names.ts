/** What all providers take, with room for a prefix and for telling two of a name apart. */
const MAX_LENGTH = 60;

/** An operation's name as a tool: `listPets` is `list_pets`; without an id, method and path. */
export function operationName(operationId: string | undefined, method: string, path: string): string {
  const name = snakeCase(operationId ?? '') || snakeCase(`${method} ${path}`);
  return (/^[a-z_]/.test(name) ? name : `_${name}`).slice(0, MAX_LENGTH).replace(/_+$/, '');
}

/** As adk-python spells names. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replaceAll(/_+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** The names, each of them once: what stands there already gets a number behind it. */
export class TakenNames {
  readonly #taken = new Set<string>();

  constructor(private readonly firstNumber: number) {}

  free(name: string): string {
    let free = name;
    for (let number = this.firstNumber; this.#taken.has(free); number += 1) free = `${name}_${number}`;
    this.#taken.add(free);
    return free;
  }
}
