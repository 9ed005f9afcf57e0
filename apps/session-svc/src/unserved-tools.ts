import { type Logger } from '@skein/platform';
import { measureToolCalls, type StorePool } from '@skein/session-store';
import { unservedOf, type UnservedTool } from './tool-demand';
import { type WorkerDirectory } from './worker-directory';

export interface UnservedToolsParts {
  readonly pool: StorePool;
  readonly workers: WorkerDirectory;
  readonly logger: Logger;
}

/** Tells of tools that calls wait for and no live worker has: once when it comes to that, and once when it is over. */
export class UnservedTools {
  #told = new Map<string, UnservedTool>();

  constructor(private readonly parts: UnservedToolsParts) {}

  async look(): Promise<void> {
    const { pool, workers, logger } = this.parts;
    // What is unserved now is also what nobody can tell of for a while, after NATS was away: it is kept until then.
    if (!workers.isInformed()) return;
    const found = unservedOf(await measureToolCalls(pool), workers);
    const now = new Map(found.map((tool) => [keyOf(tool), tool]));
    for (const [key, { appName, tool, pool: name, calls }] of now) {
      if (!this.#told.has(key))
        logger.warn({ appName, tool, pool: name, calls }, 'calls wait for a tool no live worker has');
    }
    for (const [key, { appName, tool, pool: name }] of this.#told) {
      if (!now.has(key))
        logger.info({ appName, tool, pool: name }, 'no calls wait in vain for that tool any more');
    }
    this.#told = now;
  }
}

function keyOf({ appName, pool, tool }: UnservedTool): string {
  return JSON.stringify([appName, pool, tool]);
}
