import { AdkError } from '@skein/contracts';
import { type MessagingConnection, withTraceparent } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  closeLeftCalls,
  confirmSent,
  type DuePosition,
  expireLeases,
  findUnpublished,
  forgetDeadLetters,
  givenUp,
  readClock,
  readOverdueCalls,
  readUnsentCalls,
  type StorePool,
  touchStaleQueued,
  type UnsentCall,
} from '@skein/session-store';
import { type Admission } from '../calls/admission';
import { type Cancellation } from '../sessions/cancellation';
import { Duties } from './duties';
import { type LeftMessages } from './left-messages';
import { type EndedCalls } from '../calls/ended-calls';
import { type EventPublisher } from '../events/event-publisher';
import { type FalseClaims } from '../calls/false-claims';
import { publishCall } from '../calls/publish-call';
import { type HandOver } from '../sessions/hand-over';
import { NotStartedCalls } from '../calls/not-started-calls';
import { type Redrives } from '../calls/redrives';
import { type ResultForwarder } from '../calls/result-forwarder';
import { type ServiceMetrics } from '../service-metrics';
import { type StreamWatch } from '../events/stream-watch';
import { type UnservedTools } from '../calls/unserved-tools';
import { WaitingResults } from '../calls/waiting-results';
import { type WorkerDirectory } from '../workers/worker-directory';

export interface SweeperParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly handOver: HandOver;
  readonly cancellation: Cancellation;
  readonly forwarder: ResultForwarder;
  readonly admission: Pick<Admission, 'sweep'>;
  readonly ended: Pick<EndedCalls, 'giveUp' | 'closed'>;
  readonly workers: WorkerDirectory;
  readonly redrives: Pick<Redrives, 'sweep'>;
  readonly publisher: EventPublisher;
  readonly metrics: ServiceMetrics;
  readonly streams: Pick<StreamWatch, 'look'>;
  readonly claims: Pick<FalseClaims, 'ended'>;
  readonly unserved: Pick<UnservedTools, 'look'>;
  readonly left: Pick<LeftMessages, 'look'>;
  readonly secret: string;
  readonly sweepMs: number;
  readonly logger: Logger;
}

/** What a runner takes to come back and renew its leases, or to give back what it stopped meanwhile. */
const RETURN_MS = 3_000;
/** Shorter than the stream remembers an id, so that the first repeat of a call that did arrive is dropped. */
const MIN_GRACE_MS = 5_000;
/** For how long a dead letter can be looked at and sent again. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Finds in the database what a crash or a lost message left undone, and does it. Any number may run at once: rows are
 * taken with SKIP LOCKED, and whatever is done twice is harmless twice.
 */
export class Sweeper {
  readonly #runs: Duties;
  /** What waits for JetStream is done beside the rest: a stream that is away must keep no expired lease waiting. */
  readonly #streams: readonly Duties[];
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Some crash may have been long before this process began, so its first look is at all sessions. */
  #hasLookedEverywhere = false;
  /** Until all that was sent before is sent again. */
  #reconnectedAtMs: number | undefined;
  #returnedAtMs: number | undefined;
  #forgetReconnects: (() => void) | undefined;

  constructor(private readonly parts: SweeperParts) {
    const { pool, forwarder, logger, cancellation, streams, unserved, admission, workers, secret } = parts;
    const { redrives, ended, left } = parts;
    const results = new WaitingResults({ pool, forwarder });
    const notStarted = new NotStartedCalls({ pool, workers, ended, secret });
    // In this order because each may have work for the next: a run taken back is queued, then handed to an owner.
    this.#runs = new Duties(logger, [
      ['expired leases', () => this.#takeBackExpired()],
      ['overdue cancels', () => cancellation.endOverdue()],
      ['waiting invocations', () => this.#dispatchStale()],
      ['overdue calls', () => this.#endOverdueCalls()],
      ['calls not begun', () => notStarted.sweep(this.#stopped.signal)],
      ['calls nobody waits for', () => this.#closeLeftCalls()],
      ['waiting calls', () => admission.sweep()],
      ['unapplied results', () => results.forward(this.#stopped.signal)],
    ]);
    const calls = new Duties(logger, [
      ['streams', () => streams.look()],
      ['unsent calls', () => this.#resendCalls()],
      ['redrives', () => redrives.sweep()],
      ['old dead letters', () => forgetDeadLetters(pool, KEPT_MS)],
    ]);
    this.#streams = [
      calls,
      new Duties(logger, [['tools nobody serves', () => unserved.look()]]),
      new Duties(logger, [['calls left in their queue', () => left.look()]]),
      new Duties(logger, [['unpublished events', () => this.#relay({ everywhere: false })]]),
      // Beside the look at those that were at work: they must not wait for a walk over all there are.
      new Duties(logger, [['events of all sessions', () => this.#lookEverywhere()]]),
    ];
  }

  start(): void {
    // The server may have come back without what it held: its streams are not the record of anything.
    this.#forgetReconnects = this.parts.connection.onReconnect(
      () => (this.#reconnectedAtMs = this.#returnedAtMs = performance.now()),
    );
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    this.#forgetReconnects?.();
    await Promise.all([this.#runs, ...this.#streams].map((duties) => duties.settled()));
  }

  /** Half to one and a half periods apart, so that several sweepers do not come together every time. */
  #schedule(): void {
    if (this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(
      () => void this.#sweep().finally(() => this.#schedule()),
      this.parts.sweepMs * (0.5 + Math.random()),
    );
  }

  async #sweep(): Promise<void> {
    // Nobody can be reached: what is taken back now could not be handed over, and would pile up here.
    if (!this.parts.connection.isConnected()) return;
    const { signal } = this.#stopped;
    for (const duties of this.#streams) void duties.once(signal);
    await this.#runs.once(signal);
  }

  /** After an outage of NATS or PostgreSQL not at once: no runner could renew, and no attempt is to be counted for that. */
  async #takeBackExpired(): Promise<void> {
    const { pool, handOver, publisher, ended, metrics, logger } = this.parts;
    try {
      await readClock(pool);
    } catch (error) {
      this.#returnedAtMs = performance.now();
      throw error;
    }
    if (performance.now() - (this.#returnedAtMs ?? -Infinity) < RETURN_MS) return;
    for (const expired of await expireLeases(pool)) {
      const { key, invocationId, epoch, segment, status, isDead, lastSeq, error } = expired;
      logger.warn({ ...key, invocationId, segment, status, isDead }, 'lease expired');
      metrics.leaseTakeovers.increment();
      if (isDead) {
        ended.closed();
        void publisher.relay(expired);
        publisher.end(key, {
          kind: 'end',
          invocationId,
          segment,
          status: 'dead',
          error,
          afterSeq: lastSeq,
        });
      }
      if (status === 'queued') handOver.dispatch({ invocationId, epoch, key });
    }
  }

  async #dispatchStale(): Promise<void> {
    const { pool, handOver, sweepMs } = this.parts;
    for (const queued of await touchStaleQueued(pool, sweepMs)) handOver.dispatch(queued);
  }

  async #resendCalls(): Promise<void> {
    const { pool, secret, sweepMs } = this.parts;
    const reconnectedAtMs = this.#reconnectedAtMs;
    const calls = await readUnsentCalls(pool, {
      secret,
      graceMs: Math.max(MIN_GRACE_MS, 2 * sweepMs),
      sentMoreThanMsAgo:
        reconnectedAtMs === undefined ? undefined : Math.floor(performance.now() - reconnectedAtMs),
    });
    await Promise.all(calls.map((call) => withTraceparent(call.traceparent, () => this.#resend(call))));
    // What failed is found again, so only a look that finds nothing ends it; unless another reconnect came meanwhile.
    if (calls.length === 0 && this.#reconnectedAtMs === reconnectedAtMs) this.#reconnectedAtMs = undefined;
  }

  /** Noted as sent after the stream has it: a sweeper that dies in between leaves it to be sent once more. */
  async #resend(call: UnsentCall): Promise<void> {
    const { pool, connection, metrics, logger } = this.parts;
    const fields = { ...workIdsOf(call.message), dispatchId: call.message.call.dispatchId };
    try {
      const { isDuplicate } = await publishCall(connection, call);
      await confirmSent(pool, [call]);
      if (isDuplicate) return;
      metrics.resentCalls.increment();
      logger.info(fields, 'call sent again');
    } catch (error) {
      const { kind } = AdkError.from(error);
      if (kind === 'invalid') return this.#endUnsendable(call, error);
      logger.warn({ ...fields, err: error }, 'call not sent, the next sweep tries again');
    }
  }

  /** No later sweep could send it either, and until its deadline it would take the place of one that can be sent. */
  async #endUnsendable({ message }: UnsentCall, error: unknown): Promise<void> {
    const { ended, logger } = this.parts;
    const { tool, dispatchId } = message.call;
    logger.warn({ ...workIdsOf(message), dispatchId, tool, err: error }, 'call cannot be sent');
    const result = givenUp(
      { ...message, tool },
      { code: 'tool.unsendable', message: `Tool '${tool}' was not called: ${AdkError.from(error).message}.` },
    );
    await ended.giveUp(result);
  }

  async #endOverdueCalls(): Promise<void> {
    const { pool, secret, claims, ended, metrics } = this.parts;
    let after: DuePosition | undefined;
    do {
      const { items, next } = await readOverdueCalls(pool, secret, { after });
      after = next;
      await Promise.all(
        items.map(async (result) => {
          if (await ended.giveUp(result)) metrics.overdueCalls.increment();
          claims.ended(result.ticket.dispatchId);
        }),
      );
    } while (after && !this.#stopped.signal.aborted);
  }

  async #closeLeftCalls(): Promise<void> {
    const { pool, ended } = this.parts;
    if ((await closeLeftCalls(pool)) > 0) ended.closed();
  }

  async #lookEverywhere(): Promise<void> {
    if (this.#hasLookedEverywhere) return;
    this.#hasLookedEverywhere = await this.#relay({ everywhere: true });
  }

  /** Whether all that was found is in the stream now. */
  async #relay(where: { readonly everywhere: boolean }): Promise<boolean> {
    const { pool, publisher } = this.parts;
    let isAllPublished = true;
    for await (const page of findUnpublished(pool, where)) {
      const arePublished = await Promise.all(page.map((session) => publisher.relay(session)));
      isAllPublished &&= arePublished.every(Boolean);
      if (this.#stopped.signal.aborted) return false;
    }
    return isAllPublished;
  }
}
