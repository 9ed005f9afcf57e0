import { AdkError, type Appended, type AppendUnit, type CallRow, type StoredEvent } from '@skein/contracts';
import { type Pool } from 'pg';
import { withoutTemp } from '../event-row';
import { StatementPump } from '../group-commit/statement-pump';
import { storeInFirstTrace } from '../group-commit/store-in-first-trace';
import { appendUnits, type StoredBatch, type StoredChainRow } from '../sql/append-units';
import { type HeldClaim } from '../sql/read-handover';
import { readUnit, type StoredCall, type StoredUnit } from '../sql/read-unit';
import { type UnsentCall } from '../sql/read-unsent-calls';
import { mintTicket } from '../ticket';
import { callsToSend } from './calls-to-send';
import { allowanceMs, type CallPlace, type Chain, type PublishedHead, toChainRows } from './chain';
import { sessionKeyOf, UnitQueue } from './unit-queue';

/** A chain that was committed: for publishing its events and for handing over what its finish claimed. */
export interface StoredChain {
  readonly units: Chain;
  readonly sessionUid: string;
  /** The session's head before the chain. */
  readonly baseSeq: number;
  readonly events: readonly StoredEvent[];
  readonly publishedSeq: number;
  /** The session's next invocation, claimed by the finish in this chain. */
  readonly nextClaim: HeldClaim | undefined;
  /** Calls that wait for their turn: nobody sends them until they are admitted. */
  readonly waitingCalls: readonly CallRow[];
  /** Calls that may be sent at once, of units that say what they are sent with. */
  readonly callsToSend: readonly UnsentCall[];
  /** The run is to end as cancelled. */
  readonly cancelRequested: boolean;
}

export interface AppendBatcherOptions {
  readonly secret: string;
  readonly leaseMs: number;
  /** How many batches may be under way at once. */
  readonly connections?: number;
  /** How long a unit waits for the one before it. */
  readonly predecessorWaitMs?: number;
  readonly onStored?: (chain: StoredChain) => void;
  /** A unit was found stored: whoever stored it may not have lived to publish it. */
  readonly onReplayed?: (unit: AppendUnit, stored: StoredUnit) => void;
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

/** Group commit of units. Calling it twice with one unit is harmless; the second call answers what the first one did. */
export class AppendBatcher {
  readonly #queue: UnitQueue;
  readonly #pump: StatementPump<Chain>;
  readonly #idleWaiters: (() => void)[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly options: AppendBatcherOptions,
  ) {
    this.#queue = new UnitQueue(options.predecessorWaitMs ?? 5_000, () => this.#pump.pumpSoon());
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
      const stored = await storeInFirstTrace(requests, () => this.#store(chains));
      for (const [index, chain] of chains.entries()) {
        const row = stored.chains.get(index + 1);
        if (row) this.#answerStored(chain, row, stored.waiting);
      }
      const refused = chains.filter((_, index) => !stored.chains.has(index + 1));
      await Promise.all(refused.flatMap((chain) => chain.map((unit) => this.#settleRefused(unit))));
    } catch (error) {
      await this.#settleFailed(chains, AdkError.from(error));
    }
  }

  /** Trying again is harmless: if the lost answer was a success, the fence refuses the second time. */
  async #store(chains: readonly Chain[]): Promise<StoredBatch> {
    const { publishedOf = () => undefined, placeOf = () => ({ waits: false }) } = this.options;
    const batch = toChainRows(chains, { publishedOf, placeOf });
    const startedAtMs = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await appendUnits(this.pool, batch, this.options.leaseMs);
      } catch (error) {
        const isSlow = performance.now() - startedAtMs > SLOW_MS;
        if (isSlow || attempt === MAX_TRIES || AdkError.from(error).kind !== 'unavailable') throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt * (0.5 + Math.random())));
      }
    }
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

  #answerStored(chain: Chain, row: StoredChainRow, waiting: ReadonlySet<string>): void {
    const answers = this.#answersOf(chain, row, waiting);
    const stored: StoredChain = {
      units: chain,
      sessionUid: row.session_uid,
      baseSeq: row.base_seq,
      events: chain
        .flatMap((unit) => unit.events)
        .map(({ stepKey, event }, index) => ({
          seq: row.base_seq + index + 1,
          stepKey,
          event: withoutTemp(event),
        })),
      publishedSeq: row.published_seq,
      nextClaim: toNextClaim(chain[0], row),
      waitingCalls: chain.flatMap((unit) => unit.calls).filter(({ dispatchId }) => waiting.has(dispatchId)),
      callsToSend: answers.flatMap(({ unit, appended }) => callsToSend(unit, appended.tickets, row.clock_ms)),
      cancelRequested: row.cancel_requested,
    };
    this.#queue.inTraceOf(chain[0], () => this.#tell(() => this.options.onStored?.(stored)));
    for (const { unit, appended } of answers) this.#queue.resolve(unit, appended);
  }

  /** The units are stored by then: refused for an error of whoever is told, they would be stored a second time. */
  #tell(observer: () => void): void {
    try {
      observer();
    } catch (error) {
      this.options.onObserverFailed?.(error);
    }
  }

  #answersOf(
    chain: Chain,
    row: StoredChainRow,
    waiting: ReadonlySet<string>,
  ): { readonly unit: AppendUnit; readonly appended: Appended }[] {
    const cancelRequested = row.cancel_requested;
    let lastSeq = row.base_seq;
    return chain.map((unit) => {
      lastSeq += unit.events.length;
      const toStored = (call: CallRow): [string, StoredCall] => [
        call.dispatchId,
        { deadlineMs: row.clock_ms + allowanceMs(call), attempt: 1, isWaiting: waiting.has(call.dispatchId) },
      ];
      const calls = new Map(unit.calls.map(toStored));
      return { unit, appended: this.#appended(unit, { lastSeq, cancelRequested, calls }) };
    });
  }

  async #settleRefused(unit: AppendUnit): Promise<void> {
    try {
      const verdict = await readUnit(this.pool, unit);
      switch (verdict.kind) {
        case 'stored':
          this.#queue.inTraceOf(unit, () =>
            this.#tell(() => this.options.onReplayed?.(unit, verdict.stored)),
          );
          this.#queue.resolve(unit, this.#appended(unit, verdict.stored));
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

  /** Without tickets for calls that wait: each gets one as it is admitted. */
  #appended(unit: AppendUnit, known: Pick<StoredUnit, 'lastSeq' | 'cancelRequested' | 'calls'>): Appended {
    const tickets = unit.calls.flatMap(({ dispatchId, tool }) => {
      const call = known.calls.get(dispatchId);
      if (call === undefined) {
        throw new AdkError(
          'internal',
          'append.call-missing',
          `Call ${dispatchId} was not stored with its unit.`,
        );
      }
      const { deadlineMs, attempt, isWaiting } = call;
      return isWaiting ? [] : [mintTicket(this.options.secret, tool, { dispatchId, attempt, deadlineMs })];
    });
    return { lastSeq: known.lastSeq, cancelRequested: known.cancelRequested, tickets };
  }
}

function toNextClaim({ runnerId }: AppendUnit, row: StoredChainRow): HeldClaim | undefined {
  const { next_invocation: invocationId, next_epoch: epoch } = row;
  return invocationId === null || epoch === null ? undefined : { invocationId, runnerId, epoch };
}
