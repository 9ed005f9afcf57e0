import { type AppendUnit, type CallRow, subjects, waitingCallsSchema } from '@skein/contracts';
import {
  type CoreSubscription,
  type MessagingConnection,
  publishCore,
  subscribeCore,
  withTraceparent,
} from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  admitCalls,
  type CallPlace,
  listWaitingPools,
  listWaitingTools,
  POOL_SURPLUS,
  readAdmittedCalls,
  type StorePool,
  type UnsentCall,
  type WaitingTool,
  waitsUntilStored,
} from '@skein/session-store';
import { publishCall } from './publish-call';
import { type SentCalls } from './sent-calls';
import { Tasks } from '../tasks';
import { type WorkerDirectory } from '../workers/worker-directory';

export interface AdmissionParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly workers: Pick<WorkerDirectory, 'serves' | 'capacity' | 'hold' | 'leftBehind' | 'onServed'>;
  readonly sent: Pick<SentCalls, 'add'>;
  readonly secret: string;
  /** Whether workers may be sent calls that they have to hold. */
  readonly holdsCalls: boolean;
  readonly logger: Logger;
}

/** After a round that looked at as many users as it may and found nobody who may go. */
const VAIN_ROUND_MS = 200;

/** A pool whose rounds this process does. */
interface PoolRounds {
  isUnderWay: boolean;
  /** Something happened since the round under way began. */
  isWanted: boolean;
  timer: NodeJS.Timeout | undefined;
  dueAtMs: number;
}

/**
 * What a pool is taken to run at once while nobody knows its workers: as much as one does. More would lie in its queue before
 * the first of them comes, and go before every call of a higher priority.
 */
const UNKNOWN_CAPACITY = 16;

/**
 * Decides which calls are sent at once and which wait for their turn, and lets those go when there is room: when a call
 * ended, a backoff or a rate is over, a worker came, and in each sweep. Any number of processes may do rounds of a pool; the
 * database lets one at a time. A call that is admitted and not sent, because this process died, is found unsent.
 */
export class Admission {
  /** Pools in which calls wait, as far as is known here. */
  readonly #waiting = new Set<string>();
  readonly #rounds = new Map<string, PoolRounds>();
  /** How many calls of a pool with waiting calls one user may have under way. */
  readonly #shares = new Map<string, number>();
  /** Pools in which some call waits for nothing but room, or for its user to have less under way. */
  readonly #held = new Set<string>();
  readonly #tasks: Tasks;
  #onRedriven: (dispatchIds: readonly string[]) => Promise<void> = async () => undefined;
  #subscription: CoreSubscription | undefined;
  #isStopped = false;

  constructor(private readonly parts: AdmissionParts) {
    this.#tasks = new Tasks(parts.logger);
    parts.workers.onServed((pools) => {
      for (const pool of pools) if (this.#waiting.has(pool)) this.#want(pool);
    });
  }

  /** Another process may store calls that wait, and this one be told of the end of a call that makes room. */
  start(): void {
    this.#subscription = subscribeCore(
      this.parts.connection,
      subjects.waitingCalls,
      waitingCallsSchema,
      ({ pool }) => this.#waiting.add(pool),
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { timer } of this.#rounds.values()) clearTimeout(timer);
    await this.#subscription?.close();
    await this.#tasks.settled();
  }

  /** As a call is stored: whether it has to wait, and how much of the pool there is, and its user may have. */
  placeOf({ appName }: AppendUnit, { tool, pool, policy }: CallRow): CallPlace {
    const hasLimits = policy.maxConcurrency !== undefined || policy.rateLimit !== undefined;
    const room = Math.ceil(this.#capacityOf(pool) * POOL_SURPLUS);
    const share = this.#shares.get(pool) ?? room;
    // Room that comes belongs to those that wait for it: a new call goes with the round that follows, behind them.
    const waits = hasLimits || this.#held.has(pool) || !this.#mayBeServed(appName, tool, pool);
    return { waits, share, room };
  }

  /**
   * Whether a call may leave before the database has counted it: workers run its tool, and nobody waits in its pool, as far as is
   * known here. Where it is one too many, the database says so, and those of later units wait. One that may change something only
   * where calls may be held, and every worker of the pool does.
   */
  mayLeaveAhead(unit: AppendUnit, call: CallRow): boolean {
    const { pool } = call;
    const { workers, holdsCalls } = this.parts;
    const isTakenWell = !waitsUntilStored(call) || (holdsCalls && workers.hold(pool));
    const hasWorkers = isTakenWell && workers.capacity(pool) > 0;
    return hasWorkers && !this.#waiting.has(pool) && !this.placeOf(unit, call).waits;
  }

  /** Calls were stored that wait for their turn. */
  stored(calls: readonly CallRow[]): void {
    for (const pool of new Set(calls.map((call) => call.pool))) this.queued(pool);
  }

  /** A call of the pool waits, and may go in so many milliseconds. */
  queued(pool: string, waitMs = 0): void {
    this.#waiting.add(pool);
    this.#wantIn(pool, waitMs);
  }

  /** Who sends calls that were sent again by hand; among the ids may be such as ended since they were admitted. */
  onRedriven(send: (dispatchIds: readonly string[]) => Promise<void>): void {
    this.#onRedriven = send;
  }

  /** Some call ended, so there may be room. Costs nothing where nothing waits. */
  ended(): void {
    for (const pool of this.#waiting) this.#want(pool);
  }

  /** Looks at every pool with waiting calls: of some nobody may have told this process. */
  async sweep(): Promise<void> {
    for (const pool of await listWaitingPools(this.parts.pool)) this.queued(pool);
  }

  #capacityOf(pool: string): number {
    return this.parts.workers.capacity(pool) || UNKNOWN_CAPACITY;
  }

  /** A pool without any known worker takes calls: they wait in its queue, and workers of an older version do not announce. */
  #mayBeServed(appName: string, tool: string, pool: string): boolean {
    const { workers } = this.parts;
    return workers.capacity(pool) === 0 || workers.serves(appName, tool, pool);
  }

  #wantIn(pool: string, waitMs: number): void {
    if (waitMs <= 0) {
      this.#want(pool);
      return;
    }
    const rounds = this.#roundsOf(pool);
    const dueAtMs = performance.now() + waitMs;
    if (this.#isStopped || rounds.dueAtMs <= dueAtMs) return;
    clearTimeout(rounds.timer);
    rounds.dueAtMs = dueAtMs;
    rounds.timer = setTimeout(() => {
      rounds.dueAtMs = Infinity;
      this.#want(pool);
    }, waitMs);
  }

  #want(pool: string): void {
    const rounds = this.#roundsOf(pool);
    rounds.isWanted = true;
    if (rounds.isUnderWay || this.#isStopped) return;
    rounds.isUnderWay = true;
    this.#tasks.run('admitting calls', async () => {
      try {
        while (rounds.isWanted && !this.#isStopped) {
          rounds.isWanted = false;
          await this.#round(pool);
        }
      } finally {
        rounds.isUnderWay = false;
      }
    });
  }

  #roundsOf(pool: string): PoolRounds {
    const known = this.#rounds.get(pool);
    if (known) return known;
    const rounds = { isUnderWay: false, isWanted: false, timer: undefined, dueAtMs: Infinity };
    this.#rounds.set(pool, rounds);
    return rounds;
  }

  async #round(pool: string): Promise<void> {
    const { pool: database, connection, secret } = this.parts;
    const waiting = await listWaitingTools(database, pool);
    if (waiting.length === 0) {
      this.#waiting.delete(pool);
      this.#shares.delete(pool);
      this.#held.delete(pool);
      return;
    }
    const isServed = ({ appName, tool }: WaitingTool): boolean => this.#mayBeServed(appName, tool, pool);
    const tools = waiting.filter(isServed).map((tool) => ({
      ...tool,
      leftBehind: this.parts.workers.leftBehind(tool.appName, tool.tool, pool),
    }));
    const unserved = waiting.filter((tool) => !isServed(tool));
    const capacity = this.#capacityOf(pool);
    const round = await admitCalls(database, { pool, tools, unserved, capacity });
    const { dispatchIds, share, waitMs, hasMore, isHeld } = round;
    if (share !== undefined) this.#shares.set(pool, share);
    if (isHeld) this.#held.add(pool);
    else this.#held.delete(pool);
    if (hasMore) this.#wantIn(pool, dispatchIds.length > 0 ? 0 : VAIN_ROUND_MS);
    else if (waitMs !== undefined) this.#wantIn(pool, waitMs);
    // Lost, the others find the pool in their next sweep.
    void publishCore(connection, subjects.waitingCalls, { pool });
    if (dispatchIds.length === 0) return;
    const calls = await readAdmittedCalls(database, secret, dispatchIds);
    const first = new Set(calls.map(({ message }) => message.call.dispatchId));
    const others = dispatchIds.filter((dispatchId) => !first.has(dispatchId));
    const redriven = this.#sendRedriven(others);
    await Promise.all(calls.map((call) => withTraceparent(call.traceparent, () => this.#send(call))));
    await redriven;
  }

  /** Beside the calls that runs wait for, which it neither delays nor ends; what it does not send a sweep does. */
  async #sendRedriven(dispatchIds: readonly string[]): Promise<void> {
    if (dispatchIds.length === 0) return;
    try {
      await this.#onRedriven(dispatchIds);
    } catch (error) {
      this.parts.logger.warn({ calls: dispatchIds.length, err: error }, 'redrives left to the sweep to send');
    }
  }

  /** One that does not come into its queue is sent by a sweep, which also ends what cannot be sent at all. */
  async #send(admitted: UnsentCall): Promise<void> {
    const { connection, sent, logger } = this.parts;
    const { dispatchId } = admitted.message.call;
    try {
      await publishCall(connection, admitted);
      sent.add(admitted);
    } catch (error) {
      const fields = { ...workIdsOf(admitted.message), dispatchId, err: error };
      logger.warn(fields, 'admitted call left to the sweep to send');
    }
  }
}
