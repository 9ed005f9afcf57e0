import { type ObjectStore } from '@skein/artifact-store';
import { AdkError } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import { findOrphans, readClock, readInstallation, type StorePool } from '@skein/session-store';
import { Duties } from './duties';
import { type ServiceMetrics } from './service-metrics';

export interface OrphanCollectionParts {
  readonly pool: StorePool;
  readonly objects: Pick<ObjectStore, 'get' | 'put' | 'list' | 'delete' | 'dropUnfinished'>;
  readonly metrics: Pick<ServiceMetrics, 'orphans'>;
  readonly graceMs: number;
  readonly logger: Logger;
}

/** Says in the object store whose it is. */
const OWNER_KEY = 'skein-owner';
const PAGE = 500;
const FIRST_MS = 600_000;
const PERIOD_MS = 6 * 3_600_000;

/**
 * Deletes objects that no version refers to: a crash, or a delete that was cut off, left them. An object gets its version
 * within minutes and no key is used twice, so what has none after the grace will have none. Any number may run at once.
 */
export class OrphanCollection {
  readonly #duties: Duties;
  readonly #stopped = new AbortController();
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: OrphanCollectionParts) {
    this.#periodMs = Math.min(parts.graceMs / 4, PERIOD_MS);
    this.#duties = new Duties(parts.logger, [['orphans', () => this.collect()]]);
  }

  start(): void {
    this.#schedule(Math.min(this.#periodMs, FIRST_MS));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await this.#duties.settled();
  }

  /** One look at all there is. */
  async collect(): Promise<void> {
    const { pool, objects, metrics, graceMs, logger } = this.parts;
    await this.#assertOwner();
    const beforeMs = (await readClock(pool)).nowMs - graceMs;
    let collected = 0;
    for await (const keys of this.#oldKeys(beforeMs)) {
      for (const key of await findOrphans(pool, keys)) {
        await objects.delete(key);
        metrics.orphans.increment();
        collected += 1;
      }
      if (this.#stopped.signal.aborted) return;
    }
    const unfinished = await objects.dropUnfinished(beforeMs);
    if (collected + unfinished > 0) logger.info({ collected, unfinished }, 'orphaned objects deleted');
  }

  /** Half to one and a half periods apart, so that several do not come together every time. */
  #schedule(periodMs: number): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(
      () => void this.#duties.once(this.#stopped.signal).finally(() => this.#schedule(this.#periodMs)),
      periodMs * (0.5 + Math.random()),
    );
  }

  /** To a database that is new, or another's, every object is an orphan: it is to delete none. */
  async #assertOwner(): Promise<void> {
    const { pool, objects } = this.parts;
    const installation = await readInstallation(pool);
    const owner = await objects.get(OWNER_KEY);
    if (owner === undefined) await objects.put(OWNER_KEY, [Buffer.from(installation)]);
    else if (Buffer.from(owner).toString() !== installation) {
      throw new AdkError(
        'conflict',
        'object.owner',
        `The object store belongs to another database: nothing is collected. If it is not, delete its object "${OWNER_KEY}".`,
      );
    }
  }

  async *#oldKeys(beforeMs: number): AsyncIterable<string[]> {
    let keys: string[] = [];
    for await (const { key, modifiedAtMs } of this.parts.objects.list()) {
      if (modifiedAtMs < beforeMs && key !== OWNER_KEY) keys.push(key);
      if (keys.length < PAGE) continue;
      yield keys;
      keys = [];
    }
    if (keys.length > 0) yield keys;
  }
}
