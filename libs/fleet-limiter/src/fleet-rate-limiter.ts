import { randomUUID } from 'node:crypto';
import { type ModelHold, modelHoldSchema, subjects } from '@skein/contracts';
import {
  type CoreSubscription,
  type MessagingConnection,
  publishCore,
  subscribeCore,
} from '@skein/messaging';
import { type Hold, type Lane, LocalRateLimiter, RateLimiter, type Permit, type Wait } from '@skein/models';
import { type Counter, type Metrics } from '@skein/platform';

export interface FleetRateLimiterOptions {
  readonly connection: MessagingConnection;
  readonly metrics: Metrics;
}

/**
 * The limits of this process, and what the others that ask models hear from a provider: when one of them is told to wait,
 * all do, and each sends one request first. While NATS is away each hears it from the provider itself.
 */
export class FleetRateLimiter extends RateLimiter {
  readonly #local = new LocalRateLimiter((lane, hold) => this.#tell(lane, hold));
  readonly #connection: MessagingConnection;
  /** So that it does not hear itself. */
  readonly #id = randomUUID();
  readonly #holds: Counter;
  #subscription: CoreSubscription | undefined;

  constructor({ connection, metrics }: FleetRateLimiterOptions) {
    super();
    this.#connection = connection;
    this.#holds = metrics.counter(
      'skein_model_holds_total',
      'Times a provider wanted fewer requests and got none for a while, by who heard it from the provider: own, fleet.',
      ['origin'],
    );
    metrics.gauge(
      'skein_model_requests_waiting',
      'Requests to models that wait until their provider wants them.',
      () => this.#local.waiting,
    );
  }

  start(): void {
    this.#subscription = subscribeCore(this.#connection, subjects.modelHold, modelHoldSchema, (hold) => {
      if (hold.runnerId === this.#id) return;
      this.#holds.increment({ origin: 'fleet' });
      this.#local.hear(hold.lane, { holdMs: hold.holdMs, limit: hold.limit });
    });
  }

  async close(): Promise<void> {
    await this.#subscription?.close();
  }

  override async enter(lane: Lane, wait: Wait): Promise<Permit> {
    return this.#local.enter(lane, wait);
  }

  #tell(lane: string, { holdMs, limit }: Hold): void {
    this.#holds.increment({ origin: 'own' });
    const hold: ModelHold = {
      runnerId: this.#id,
      lane,
      holdMs: Math.ceil(holdMs),
      ...(limit === undefined ? {} : { limit }),
    };
    // Lost, it harms nobody: the others hear it from the provider.
    publishCore(this.#connection, subjects.modelHold, hold).catch((error: unknown) =>
      this.#connection.logger.warn({ err: error }, 'a hold of a model could not be told'),
    );
  }
}
