import { AdkError, type Appended, type AppendUnit, type CallRow } from '@skein/contracts';
import { type Pool } from 'pg';
import { StatementPump } from '../group-commit/statement-pump';
import { storeInFirstTrace } from '../group-commit/store-in-first-trace';
import { whenLeft } from '../group-commit/when-left';
import { appendUnits, type StoredBatch, type StoredChainRow } from '../sql/append-units';
import { readUnit, type StoredUnit } from '../sql/read-unit';
import { type UnsentCall } from '../sql/read-unsent-calls';
import { AheadOfStore, type CallsAhead, waitsUntilStored } from './calls-ahead';
import { type CallPlace, type Chain, type PublishedHead, type StorableBatch, toChainRows } from './chain';
import {
  type AnsweredUnit,
  type Answering,
  answersOf,
  answerTo,
  type StoredChain,
  toStoredChain,
} from './stored-chain';
import { sessionKeyOf, UnitQueue } from './unit-queue';

export interface AppendBatcherOptions {
  readonly secret: string;
  readonly leaseMs: number;
  /** How many batches may be under way at once. */
  readonly connections?: number;
  /** How long a unit waits for the one before it. */
  readonly predecessorWaitMs?: number;
  /**
   * The database has said what a chain comes to, mostly while it makes that durable: what is to leave may be made ready. What this
   * gives back is called once the chain is stored, and never for one that is not. Called again for what is tried again.
   */
  readonly prepare?: (chain: StoredChain) => () => void;
  /** A unit was found stored: whoever stored it may not have lived to publish it. */
  readonly onReplayed?: (unit: AppendUnit, stored: StoredUnit) => void;
  /** Whether a call may leave before the database has counted it; without it none may. */
  readonly mayLeaveAhead?: (unit: AppendUnit, call: CallRow) => boolean;
  /** The chain of these calls is about to go to the database: they are to leave now. */
  readonly sendAhead?: (calls: readonly UnsentCall[]) => void;
  /** A batch was stored, or refused, or failed. */
  readonly onBatch?: (batch: { readonly units: number; readonly durationMs: number }) => void;
  readonly onFenced?: (unit: AppendUnit) => void;
  /** One of those above threw; what it was told of is as it is, and is answered so. */
  readonly onObserverFailed?: (error: unknown) => void;
  /** Up to where the session's events are known to be published; noted along with the append. */
  readonly publishedOf?: (unit: AppendUnit) => PublishedHead | undefined;
  /** Whether a call has to wait for its turn; without it every call may be sent at once. */
  readonly placeOf?: (unit: AppendUnit, call: CallRow) => CallPlace;
}

const MAX_TRIES = 3;
const RETRY_MS = 20;
/** What failed after this long did not fail in passing; whoever waits for the answer decides. */
const SLOW_MS = 1_500;

/** A batch, and what leaves ahead of it. */
interface Storing {
  readonly chains: readonly Chain[];
  readonly batch: StorableBatch;
  readonly ahead: CallsAhead;
}

interface SettledBatch {
  readonly stored: StoredBatch;
  readonly prepared: readonly PreparedChain[];
}

/** A chain, what its units are answered, and what leaves, once it is stored. */
interface PreparedChain {
  readonly chain: Chain;
  readonly answered: readonly AnsweredUnit[];
  readonly leave: (() => void) | undefined;
}

/** Group commit of units. Calling it twice with one unit is harmless; the second call answers what the first one did. */
export class AppendBatcher {
  readonly #queue: UnitQueue;
  readonly #ahead: AheadOfStore;
  readonly #pump: StatementPump<Chain>;
  readonly #idleWaiters: (() => void)[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly options: AppendBatcherOptions,
  ) {
    this.#queue = new UnitQueue(options.predecessorWaitMs ?? 5_000, () => this.#pump.pumpSoon());
    this.#ahead = new AheadOfStore(options);
    this.#pump = new StatementPump({
      atOnce: options.connections ?? 4,
      take: () => this.#queue.take(),
      settle: (chains) => this.#settleTaken(chains),
    });
  }

  /** Resolves once the unit is durable; rejects with `append.fenced` when its epoch has passed. */
  append(unit: AppendUnit): Promise<Appended> {
    if (unit.events.some(({ event }) => event.partial === true)) {
      const refused = new AdkError('invalid', 'append.partial-event', 'A partial event is never stored.');
      return Promise.reject(refused);
    }
    return this.#queue.add(unit);
  }

  /** Resolves when nothing is queued or under way. */
  async idle(): Promise<void> {
    if (this.#queue.isEmpty) return;
    await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Settles what was taken, tells how long that took, and lets its sessions be taken again. */
  async #settleTaken(chains: readonly Chain[]): Promise<void> {
    const units = chains.reduce((count, chain) => count + chain.length, 0);
    const startedAtMs = performance.now();
    await this.#settle(chains);
    this.#tell(() => this.options.onBatch?.({ units, durationMs: performance.now() - startedAtMs }));
    for (const [unit] of chains) this.#queue.done(sessionKeyOf(unit));
    if (this.#queue.isEmpty) for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  /** Brings every unit of these chains to an answer or back into the queue; never rejects. */
  async #settle(chains: readonly Chain[]): Promise<void> {
    try {
      const requests = chains.flat().map((unit) => this.#queue.contextOf(unit));
      const { stored, prepared } = await storeInFirstTrace(requests, () => this.#store(chains));
      for (const chain of prepared) this.#answerStored(chain);
      const refused = chains.filter((_, index) => !stored.chains.has(index + 1));
      await Promise.all(refused.flatMap((chain) => chain.map((unit) => this.#settleRefused(unit))));
    } catch (error) {
      await this.#settleFailed(chains, AdkError.from(error));
    }
  }

  /** Trying again is harmless: if the lost answer was a success, the fence refuses the second time. */
  async #store(chains: readonly Chain[]): Promise<SettledBatch> {
    const { publishedOf = () => undefined, placeOf = () => ({ waits: false }) } = this.options;
    const ahead = this.#ahead.of(chains);
    const storing = {
      chains,
      batch: toChainRows(chains, { publishedOf, placeOf, ahead: ahead.tickets }),
      ahead,
    };
    if (ahead.calls.length > 0) await this.#sendAhead(storing);
    const startedAtMs = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#storeOnce(storing);
      } catch (error) {
        const isSlow = performance.now() - startedAtMs > SLOW_MS;
        if (isSlow || attempt === MAX_TRIES || AdkError.from(error).kind !== 'unavailable') throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt * (0.5 + Math.random())));
      }
    }
  }

  /**
   * What leaves for a chain alone is made ready while its commit is on its way. Of several each would wait for the others, and
   * the time is needed for the next batch.
   */
  async #storeOnce({ chains, batch, ahead }: Storing): Promise<SettledBatch> {
    let prepared: readonly PreparedChain[] | undefined;
    const prepare = (answer: StoredBatch): void =>
      this.#tell(() => (prepared = this.#prepareAll(chains, answer, ahead)));
    const onAnswer = chains.length === 1 ? prepare : undefined;
    const stored = await appendUnits(this.pool, batch, this.options.leaseMs, onAnswer);
    return { stored, prepared: prepared ?? this.#prepareAll(chains, stored, ahead) };
  }

  /** Right before the statement where a worker is waited for, and not the statement; beside it where the worker waits for that. */
  async #sendAhead({ chains: [chain], ahead: { calls } }: Storing): Promise<void> {
    if (!chain) return;
    this.#queue.inTraceOf(chain[0], () => this.#tell(() => this.options.sendAhead?.(calls)));
    if (!calls.every(({ message }) => waitsUntilStored(message.call))) await whenLeft();
  }

  /** One bad unit must not fail its neighbours: the batch is halved until it stands alone. */
  async #settleFailed(chains: readonly Chain[], error: AdkError): Promise<void> {
    const [chain] = chains;
    if (error.kind === 'invalid' && chains.length > 1) {
      const middle = chains.length >> 1;
      await this.#settle(chains.slice(0, middle));
      await this.#settle(chains.slice(middle));
    } else if (error.kind === 'invalid' && chain && chain.length > 1) {
      // Its later units come back from the queue, which drops them together with the bad one.
      const [first, ...later] = chain;
      for (const unit of later) this.#queue.putBack(unit);
      await this.#settle([[first]]);
    } else {
      for (const unit of chains.flat()) this.#queue.reject(unit, error);
    }
  }

  #prepareAll(
    chains: readonly Chain[],
    { chains: rows, waiting }: StoredBatch,
    ahead: CallsAhead,
  ): PreparedChain[] {
    return chains.flatMap((chain, index) => {
      const row = rows.get(index + 1);
      return row ? [this.#prepare(chain, row, { secret: this.options.secret, waiting, ahead })] : [];
    });
  }

  #prepare(chain: Chain, row: StoredChainRow, answering: Answering): PreparedChain {
    this.#ahead.noteClock(row.clock_ms);
    const answered = answersOf(chain, row, answering);
    const stored = toStoredChain(chain, row, answered, answering);
    let leave: (() => void) | undefined;
    this.#queue.inTraceOf(chain[0], () => this.#tell(() => (leave = this.options.prepare?.(stored))));
    return { chain, answered, leave };
  }

  #answerStored({ chain, answered, leave }: PreparedChain): void {
    if (leave) this.#queue.inTraceOf(chain[0], () => this.#tell(leave));
    for (const { unit, appended } of answered) this.#queue.resolve(unit, appended);
  }

  /** The units are stored by then: refused for an error of whoever is told, they would be stored a second time. */
  #tell(observer: () => void): void {
    try {
      observer();
    } catch (error) {
      this.options.onObserverFailed?.(error);
    }
  }

  async #settleRefused(unit: AppendUnit): Promise<void> {
    try {
      const verdict = await readUnit(this.pool, unit);
      switch (verdict.kind) {
        case 'stored':
          this.#queue.inTraceOf(unit, () =>
            this.#tell(() => this.options.onReplayed?.(unit, verdict.stored)),
          );
          this.#queue.resolve(unit, answerTo(unit, verdict.stored, this.options.secret));
          return;
        case 'next':
          this.#queue.putBack(unit);
          return;
        case 'early':
          this.#queue.holdBack(unit);
          return;
        case 'cancelled':
          this.#queue.reject(
            unit,
            new AdkError('conflict', 'append.cancel-requested', 'The invocation is to end as cancelled.'),
          );
          return;
        case 'fenced':
          this.#tell(() => this.options.onFenced?.(unit));
          this.#queue.reject(
            unit,
            new AdkError('conflict', 'append.fenced', 'Another runner owns this session now.'),
          );
      }
    } catch (error) {
      this.#queue.reject(unit, AdkError.from(error));
    }
  }
}
