import { type Logger } from '@skein/platform';
import { type Expired, expireLeases, readClock, type StorePool } from '@skein/session-store';
import { type EndedCalls } from '../calls/ended-calls';
import { type EventPublisher } from '../events/event-publisher';
import { type ServiceMetrics } from '../service-metrics';
import { type HandOver } from '../sessions/hand-over';

export interface ExpiredLeasesParts {
  readonly pool: StorePool;
  readonly handOver: HandOver;
  readonly publisher: EventPublisher;
  readonly ended: Pick<EndedCalls, 'closed'>;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/** What a runner takes to come back and renew its leases, or to give back what it stopped meanwhile. */
const RETURN_MS = 3_000;

/** Takes runs back from owners that did not renew their lease. */
export class ExpiredLeases {
  #returnedAtMs = -Infinity;

  constructor(private readonly parts: ExpiredLeasesParts) {}

  /** NATS is there again: no runner could renew meanwhile, and no attempt is to be counted for that. */
  reconnected(): void {
    this.#returnedAtMs = performance.now();
  }

  async sweep(): Promise<void> {
    const { pool } = this.parts;
    try {
      await readClock(pool);
    } catch (error) {
      // Without PostgreSQL nobody could renew either.
      this.#returnedAtMs = performance.now();
      throw error;
    }
    if (performance.now() - this.#returnedAtMs < RETURN_MS) return;
    for (const expired of await expireLeases(pool)) this.#takeBack(expired);
  }

  #takeBack(expired: Expired): void {
    const { handOver, publisher, ended, metrics, logger } = this.parts;
    const { key, invocationId, epoch, segment, status, isDead, lastSeq, error } = expired;
    logger.warn({ ...key, invocationId, segment, status, isDead }, 'lease expired');
    metrics.leaseTakeovers.increment();
    if (isDead) {
      ended.closed();
      void publisher.relay(expired);
      publisher.end(key, { kind: 'end', invocationId, segment, status: 'dead', error, afterSeq: lastSeq });
    }
    if (status === 'queued') handOver.dispatch({ invocationId, epoch, key });
  }
}
