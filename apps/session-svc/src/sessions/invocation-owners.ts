import { readOwner, type StorePool } from '@skein/session-store';
import { LRUCache } from 'lru-cache';

const REMEMBERED = 50_000;

/** Who runs an invocation: what this process last saw of it, which may be out of date, or what the database says. */
export class InvocationOwners {
  readonly #owners = new LRUCache<string, string>({ max: REMEMBERED });

  constructor(private readonly pool: StorePool) {}

  seen(invocationId: string, runnerId: string): void {
    this.#owners.set(invocationId, runnerId);
  }

  forget(invocationId: string): void {
    this.#owners.delete(invocationId);
  }

  lastSeen(invocationId: string): string | undefined {
    return this.#owners.get(invocationId);
  }

  async read(invocationId: string): Promise<string | undefined> {
    const owner = await readOwner(this.pool, invocationId);
    if (owner) this.seen(invocationId, owner.runnerId);
    else this.forget(invocationId);
    return owner?.runnerId;
  }
}
