import { type AnnouncedApp, type WorkerAnnouncement } from '@skein/contracts';

interface KnownWorker {
  readonly said: WorkerAnnouncement;
  readonly running: ReadonlySet<string>;
  readonly seenAtMs: number;
}

export interface CallOfPool {
  readonly dispatchId: string;
  readonly pool: string;
}

/** What the live workers of one pool have together. */
export interface PoolOfWorkers {
  readonly pool: string;
  readonly workers: number;
  /** Calls they run at most at the same time. */
  readonly capacity: number;
  readonly running: number;
}

/** Workers announce themselves every second; five silences mean that one is gone. */
const GONE_AFTER_MS = 5_000;
/** Of more calls than that it is not kept that they began: they are heard again in a second. */
const MAX_BEGUN = 100_000;

export interface WorkerDirectoryOptions {
  /** Monotonic. */
  readonly nowMs?: () => number;
  /** Whether announcements can be heard now. */
  readonly canHear?: () => boolean;
  /** One that is not believed counts as not there. */
  readonly isTrusted?: (worker: string) => boolean;
}

/** Which workers live and what they serve, from what they say of themselves. A guess: the worker itself decides. */
export class WorkerDirectory {
  readonly #workers = new Map<string, KnownWorker>();
  readonly #onServed = new Set<(pools: readonly string[]) => void>();
  /** When each call was last heard to run, of those of which this is not noted yet. */
  readonly #begun = new Map<string, CallOfPool & { readonly heardAtMs: number }>();
  #listeningSinceMs: number | undefined;

  constructor(private readonly options: WorkerDirectoryOptions = {}) {}

  /** From now on every announcement is heard; called again after a time in which none could be. */
  listening(): void {
    this.#listeningSinceMs = this.#nowMs();
  }

  /** Whether a worker that is not known here is not there: until all had the time to say that they are, nobody can tell. */
  isInformed(): boolean {
    const { canHear = () => true } = this.options;
    return (
      canHear() &&
      this.#listeningSinceMs !== undefined &&
      this.#nowMs() - this.#listeningSinceMs > GONE_AFTER_MS
    );
  }

  announced(said: WorkerAnnouncement): void {
    const before = this.#liveWorker(said.worker);
    if (said.isLeaving && runningIn(said) === 0) this.#workers.delete(said.worker);
    else this.#workers.set(said.worker, { said, running: new Set(said.running), seenAtMs: this.#nowMs() });
    this.#hearBegun(said);
    if (said.isLeaving || (before !== undefined && servesTheSame(before.said, said))) return;
    const pools = said.pools.map(({ pool }) => pool);
    for (const listener of this.#onServed) listener(pools);
  }

  /** Calls back with its pools when a worker serves what it did not serve before: calls may wait for that. */
  onServed(listener: (pools: readonly string[]) => void): void {
    this.#onServed.add(listener);
  }

  /** Whether some live worker of the pool has the tool; of workers of two versions, one that has it is enough. */
  serves(appName: string, tool: string, pool: string): boolean {
    return this.#takers(pool).some(({ said }) => hasTool(said, appName, tool));
  }

  /** Whether one of them says so by the tool's name: a toolset, or an app it had no room to name, may have any. */
  names(appName: string, tool: string, pool: string): boolean {
    return this.#takers(pool).some(({ said }) => appOf(said, appName)?.tools.includes(tool));
  }

  /** How many calls of the pool its live workers run at most at the same time; 0 when it has none. */
  capacity(pool: string): number {
    return this.#takers(pool).reduce((sum, { said }) => sum + concurrencyIn(said, pool), 0);
  }

  /** Whether each of its live workers begins no call before that is stored, and has a quick way to hear of it. */
  hold(pool: string): boolean {
    return this.#takers(pool).every(({ said }) => said.holds === true);
  }

  /**
   * Whether a live worker of its pool runs the call, or may: one that runs more than it has room to name is not doubted. What
   * is said of another pool's calls counts for nothing.
   */
  isRunning({ dispatchId, pool }: CallOfPool): boolean {
    return this.#live().some(
      ({ said, running }) => isIn(said, pool) && (running.has(dispatchId) || runningIn(said) > running.size),
    );
  }

  /** How many runs of a tool go on in live workers of its pool although their calls are over. */
  leftBehind(appName: string, tool: string, pool: string): number {
    return this.#live()
      .filter(({ said }) => isIn(said, pool))
      .flatMap(({ said }) => said.leftBehind ?? [])
      .filter((left) => left.appName === appName && left.tool === tool && left.pool === pool)
      .reduce((sum, { calls }) => sum + calls, 0);
  }

  /** Calls some worker of a pool was heard to run, also when it is gone since; kept until they are `noted`. */
  begun(): (CallOfPool & { readonly agoMs: number })[] {
    const nowMs = this.#nowMs();
    return [...this.#begun.values()].map(({ heardAtMs, ...call }) => ({ ...call, agoMs: nowMs - heardAtMs }));
  }

  noted(calls: readonly CallOfPool[]): void {
    for (const call of calls) this.#begun.delete(keyOf(call));
  }

  /** The pools with a live worker, sorted. */
  poolsServed(): string[] {
    const pools = this.#live().flatMap(({ said }) =>
      said.isLeaving ? [] : said.pools.map(({ pool }) => pool),
    );
    return [...new Set(pools)].sort();
  }

  /** Of every pool a live worker is in; one that is leaving still counts with what it runs. */
  pools(): PoolOfWorkers[] {
    const live = this.#live();
    const names = new Set(live.flatMap(({ said }) => said.pools.map(({ pool }) => pool)));
    return [...names].sort().map((pool) => ({
      pool,
      workers: this.#takers(pool).length,
      capacity: this.capacity(pool),
      running: live.reduce((sum, { said }) => sum + runningIn(said, pool), 0),
    }));
  }

  #hearBegun({ worker, pools, running }: WorkerAnnouncement): void {
    const { isTrusted = () => true } = this.options;
    if (!isTrusted(worker)) return;
    const heardAtMs = this.#nowMs();
    for (const { pool } of pools)
      for (const dispatchId of running) {
        const key = keyOf({ dispatchId, pool });
        if (this.#begun.size < MAX_BEGUN || this.#begun.has(key))
          this.#begun.set(key, { dispatchId, pool, heardAtMs });
      }
  }

  #nowMs(): number {
    return this.options.nowMs?.() ?? performance.now();
  }

  #takers(pool: string): KnownWorker[] {
    return this.#live().filter(({ said }) => !said.isLeaving && isIn(said, pool));
  }

  /** Asked for each call that is stored: without lists between. */
  #live(): KnownWorker[] {
    const { isTrusted } = this.options;
    const live: KnownWorker[] = [];
    for (const worker of this.#workers.keys()) {
      if (isTrusted?.(worker) === false) continue;
      const known = this.#liveWorker(worker);
      if (known) live.push(known);
    }
    return live;
  }

  #liveWorker(worker: string): KnownWorker | undefined {
    const known = this.#workers.get(worker);
    if (known === undefined || this.#nowMs() - known.seenAtMs <= GONE_AFTER_MS) return known;
    this.#workers.delete(worker);
    return undefined;
  }
}

function keyOf({ dispatchId, pool }: CallOfPool): string {
  return `${dispatchId} ${pool}`;
}

function isIn({ pools }: WorkerAnnouncement, pool: string): boolean {
  return pools.some((announced) => announced.pool === pool);
}

function appOf({ apps }: WorkerAnnouncement, appName: string): AnnouncedApp | undefined {
  return Object.hasOwn(apps, appName) ? apps[appName] : undefined;
}

function hasTool(said: WorkerAnnouncement, appName: string, tool: string): boolean {
  const app = appOf(said, appName);
  return app ? app.hasToolsets || app.tools.includes(tool) : said.hasMoreApps === true;
}

function concurrencyIn({ pools }: WorkerAnnouncement, pool: string): number {
  return pools.reduce((sum, announced) => sum + (announced.pool === pool ? announced.concurrency : 0), 0);
}

function runningIn({ pools }: WorkerAnnouncement, pool?: string): number {
  return pools.reduce(
    (sum, announced) => sum + (pool === undefined || announced.pool === pool ? announced.running : 0),
    0,
  );
}

function servesTheSame(before: WorkerAnnouncement, now: WorkerAnnouncement): boolean {
  return servedBy(before) === servedBy(now);
}

function servedBy({ pools, apps, hasMoreApps, isLeaving }: WorkerAnnouncement): string {
  return JSON.stringify([
    isLeaving,
    hasMoreApps,
    apps,
    pools.map(({ pool, concurrency }) => [pool, concurrency]),
  ]);
}
