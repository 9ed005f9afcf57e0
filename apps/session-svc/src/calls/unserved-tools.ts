import { type Logger } from '@skein/platform';
import { listOpenTools, measureCallsOf, type OpenTool, type StorePool } from '@skein/session-store';
import { unservedOf } from './tool-demand';
import { type WorkerDirectory } from '../workers/worker-directory';

export interface UnservedToolsParts {
  readonly pool: StorePool;
  readonly workers: WorkerDirectory;
  readonly logger: Logger;
}

/** Tells of tools that calls wait for and no live worker has: once when it comes to that, and once when it is over. */
export class UnservedTools {
  readonly #told = new Map<string, OpenTool>();

  constructor(private readonly parts: UnservedToolsParts) {}

  async look(): Promise<void> {
    const { pool, workers, logger } = this.parts;
    // What is unserved now is also what nobody can tell of for a while, after NATS was away: it is kept until then.
    if (!workers.isInformed()) return;
    const open = await listOpenTools(pool);
    const unserved = open.filter(({ appName, tool, pool: name }) => !workers.serves(appName, tool, name));
    const keys = new Set(unserved.map(keyOf));
    // Calls are counted when it comes to be told of them, not in each look: there may be any number.
    const fresh = unserved.filter((tool) => !this.#told.has(keyOf(tool)));
    const found = fresh.length === 0 ? [] : unservedOf(await measureCallsOf(pool, fresh), workers);
    for (const { appName, tool, pool: name, calls } of found) {
      this.#told.set(keyOf({ appName, tool, pool: name }), { appName, tool, pool: name });
      logger.warn({ appName, tool, pool: name, calls }, 'calls wait for a tool no live worker has');
    }
    for (const [key, { appName, tool, pool: name }] of this.#told) {
      if (keys.has(key)) continue;
      this.#told.delete(key);
      logger.info({ appName, tool, pool: name }, 'no calls wait in vain for that tool any more');
    }
  }
}

function keyOf({ appName, pool, tool }: OpenTool): string {
  return JSON.stringify([appName, pool, tool]);
}
