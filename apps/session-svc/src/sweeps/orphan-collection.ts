import { type ObjectStore } from '@skein/artifact-store';
import { AdkError } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import {
  findOrphans,
  forgetDropped,
  readClock,
  readInstallation,
  type StorePool,
} from '@skein/session-store';
import { Duties } from './duties';
import { type ServiceMetrics } from '../service-metrics';

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
/** Deletes that fail one after the other: the store is away, or wants rest. */
const MAX_FAILURES = 10;
const FIRST_MS = 600_000;
const PERIOD_MS = 6 * 3_600_000;

/**
 * Deletes objects that no version refers to: a crash, or a delete that was cut off, left them. An object gets its version
 * within minutes of its upload, by whose beginning some servers date it, and no key is used twice; so what has none after
 * the grace will have none. Any number may run at once.
 */
export class OrphanCollection {
  readonly #first: Duties;
  readonly #duties: Duties;
  readonly #stopped = new AbortController();
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: OrphanCollectionParts) {
    this.#periodMs = Math.min(parts.graceMs / 4, PERIOD_MS);
    this.#first = new Duties(parts.logger, [['owner', () => this.#isOurs()]]);
    this.#duties = new Duties(parts.logger, [
      ['dropped', async () => forgetDropped(parts.pool, await this.#endOfGrace())],
      ['orphans', () => this.collect()],
    ]);
  }

  start(): void {
    // While the store is empty yet, so that whose it is needs no proof.
    void this.#first.once(this.#stopped.signal);
    this.#schedule(Math.min(this.#periodMs, FIRST_MS));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#first.settled(), this.#duties.settled()]);
  }

  /** One look at all there is. */
  async collect(): Promise<void> {
    const { objects, logger } = this.parts;
    if (!(await this.#isOurs())) return;
    const beforeMs = await this.#endOfGrace();
    const collected = await this.#deleteOrphans(beforeMs);
    if (this.#stopped.signal.aborted) return;
    const unfinished = await objects.dropUnfinished(beforeMs);
    if (collected + unfinished > 0) logger.info({ collected, unfinished }, 'orphaned objects deleted');
  }

  /** Answers how many. One that cannot be deleted keeps none of the others. */
  async #deleteOrphans(beforeMs: number): Promise<number> {
    const { pool, objects, metrics, logger } = this.parts;
    let [collected, failures] = [0, 0];
    for await (const keys of this.#keys(beforeMs)) {
      for (const key of await findOrphans(pool, keys)) {
        if (this.#stopped.signal.aborted || failures === MAX_FAILURES) return collected;
        try {
          await objects.delete(key);
          metrics.orphans.increment();
          [collected, failures] = [collected + 1, 0];
        } catch (error) {
          failures += 1;
          logger.warn({ key, err: error }, 'an orphaned object cannot be deleted, the next look tries again');
        }
      }
    }
    return collected;
  }

  async #endOfGrace(): Promise<number> {
    return (await readClock(this.parts.pool)).nowMs - this.parts.graceMs;
  }

  /** Half to one and a half periods apart, so that several do not come together every time. */
  #schedule(periodMs: number): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(
      () => void this.#duties.once(this.#stopped.signal).finally(() => this.#schedule(this.#periodMs)),
      periodMs * (0.5 + Math.random()),
    );
  }

  /**
   * To a database that is new, or another's, every object is an orphan: it is to delete none. What is noted now counts from
   * the next time on, when it is known to have stayed: another database may have noted itself at the same time.
   */
  async #isOurs(): Promise<boolean> {
    const { pool, objects } = this.parts;
    const installation = await readInstallation(pool);
    const noted = await objects.get(OWNER_KEY);
    if (noted !== undefined && Buffer.from(noted).toString() === installation) return true;
    if (noted !== undefined || !(await this.#isEmptyOrKnown())) {
      throw new AdkError(
        'conflict',
        'object.owner',
        `The object store belongs to another database, or does not say to which: nothing is collected. If it is this one's alone, have its object "${OWNER_KEY}" say ${installation}.`,
      );
    }
    await objects.put(OWNER_KEY, [Buffer.from(installation)]);
    return false;
  }

  /** Whether a store that does not say whose it is can be no other's. */
  async #isEmptyOrKnown(): Promise<boolean> {
    let isEmpty = true;
    for await (const keys of this.#keys(Infinity)) {
      if ((await findOrphans(this.parts.pool, keys)).length < keys.length) return true;
      isEmpty = false;
    }
    return isEmpty;
  }

  /** By pages. */
  async *#keys(beforeMs: number): AsyncIterable<string[]> {
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
