import { subjects } from '@skein/contracts';
import { type MessagingConnection, publishWork } from '@skein/messaging';
import { type Logger } from '@skein/platform';
import {
  expireLeases,
  findUnpublished,
  markForwarded,
  readOverdueCalls,
  readUnappliedResults,
  storeResult,
  takeUnsentCalls,
  touchStaleQueued,
  type StorePool,
} from '@skein/session-store';
import { type EventPublisher } from './event-publisher';
import { type HandOver } from './hand-over';
import { type ResultForwarder } from './result-forwarder';
import { type ServiceMetrics } from './service-metrics';

export interface SweeperParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly handOver: HandOver;
  readonly forwarder: ResultForwarder;
  readonly publisher: EventPublisher;
  readonly metrics: ServiceMetrics;
  readonly secret: string;
  readonly sweepMs: number;
  readonly logger: Logger;
}

/**
 * Finds in the database what a crash or a lost message left undone, and does it. Any number may run at once: rows are
 * taken with SKIP LOCKED, and whatever is done twice is harmless twice.
 */
export class Sweeper {
  /** In this order because each may have work for the next: a run taken back is queued, then handed to an owner. */
  readonly #duties: readonly [string, () => Promise<void>][] = [
    ['expired leases', () => this.#takeBackExpired()],
    ['waiting invocations', () => this.#dispatchStale()],
    ['unsent calls', () => this.#resendCalls()],
    ['overdue calls', () => this.#endOverdueCalls()],
    ['unapplied results', () => this.#forwardResults()],
    ['unpublished events', () => this.#relayEvents()],
  ];
  #timer: NodeJS.Timeout | undefined;
  #sweep: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFirst = true;
  #reconnectedAtMs: number | undefined;
  #forgetReconnects: (() => void) | undefined;

  constructor(private readonly parts: SweeperParts) {}

  start(): void {
    // The server may have come back without what it held: its streams are not the record of anything.
    this.#forgetReconnects = this.parts.connection.onReconnect(
      () => (this.#reconnectedAtMs = performance.now()),
    );
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#forgetReconnects?.();
    await this.#sweep;
  }

  /** Half to one and a half periods apart, so that several sweepers do not come together every time. */
  #schedule(): void {
    this.#timer = setTimeout(
      () => {
        this.#sweep = this.#run().finally(() => {
          if (!this.#isStopped) this.#schedule();
        });
      },
      this.parts.sweepMs * (0.5 + Math.random()),
    );
  }

  async #run(): Promise<void> {
    for (const [what, duty] of this.#duties) {
      if (this.#isStopped) return;
      try {
        await duty();
      } catch (error) {
        this.parts.logger.warn({ what, err: error }, 'sweep failed, the next one tries again');
      }
    }
    this.#isFirst = false;
  }

  async #takeBackExpired(): Promise<void> {
    const { pool, handOver, publisher, metrics, logger } = this.parts;
    for (const { key, invocationId, epoch, status, lastSeq, error } of await expireLeases(pool)) {
      logger.warn({ ...key, invocationId, status }, 'lease expired');
      metrics.leaseTakeovers.increment();
      if (status === 'queued') {
        handOver.dispatch({ invocationId, epoch, key });
        continue;
      }
      metrics.deadInvocations.increment();
      publisher.end(key, { kind: 'end', invocationId, status, error, afterSeq: lastSeq });
    }
  }

  async #dispatchStale(): Promise<void> {
    const { pool, handOver, sweepMs } = this.parts;
    for (const queued of await touchStaleQueued(pool, sweepMs)) handOver.dispatch(queued);
  }

  async #resendCalls(): Promise<void> {
    const { pool, connection, metrics, secret, logger } = this.parts;
    const sentMoreThanMsAgo =
      this.#reconnectedAtMs === undefined ? undefined : performance.now() - this.#reconnectedAtMs;
    const calls = await takeUnsentCalls(pool, {
      secret,
      sentMoreThanMsAgo: sentMoreThanMsAgo === undefined ? undefined : Math.floor(sentMoreThanMsAgo),
    });
    for (const message of calls) {
      const { dispatchId, pool: toolPool } = message.call;
      metrics.resentCalls.increment();
      logger.info({ invocationId: message.invocationId, dispatchId }, 'call sent again');
      await publishWork(connection, subjects.tool(toolPool), message, {
        msgId: `${dispatchId}.${message.ticket.attempt}`,
      });
    }
    if (calls.length === 0) this.#reconnectedAtMs = undefined;
  }

  async #endOverdueCalls(): Promise<void> {
    const { pool, metrics, secret } = this.parts;
    for (const result of await readOverdueCalls(pool, secret)) {
      const stored = await storeResult(pool, result, { status: 'dead' });
      if (stored === 'stored') metrics.overdueCalls.increment();
    }
  }

  /** Results that were stored while nobody ran their invocation, and those of overdue calls. */
  async #forwardResults(): Promise<void> {
    const { pool, forwarder } = this.parts;
    const waiting = await readUnappliedResults(pool);
    await Promise.all(
      waiting.map(async ({ runnerId, epoch, result }) => {
        const disposition = await forwarder.ask(runnerId, result);
        if (disposition === 'held') await markForwarded(pool, result.ticket.dispatchId, epoch);
      }),
    );
  }

  async #relayEvents(): Promise<void> {
    const { pool, publisher } = this.parts;
    for (const session of await findUnpublished(pool, this.#isFirst)) publisher.relay(session);
  }
}
