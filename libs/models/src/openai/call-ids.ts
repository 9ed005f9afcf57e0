import { createHash } from 'node:crypto';

/** OpenAI's own limit, which the engine's ids just keep to. */
const MAX_LENGTH = 40;

/** Ids of the calls of one request: as they are in the history (B9), unless one is there already, or OpenAI finds it too long. */
export class CallIds {
  readonly #given = new Set<string>();

  constructor(private readonly isShort: boolean) {}

  next(id: string): string {
    const own = this.isShort && id.length > MAX_LENGTH ? shortened(id) : id || 'call';
    let free = own;
    for (let count = 2; this.#given.has(free); count++) {
      const suffix = `-${count}`;
      free = own.slice(0, this.isShort ? MAX_LENGTH - suffix.length : undefined) + suffix;
    }
    this.#given.add(free);
    return free;
  }
}

function shortened(id: string): string {
  return `call-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
