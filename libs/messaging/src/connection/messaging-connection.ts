import { createInbox, errors, type NatsConnection } from '@nats-io/transport-node';
import { AdkError } from '@skein/contracts';
import type { Logger } from '@skein/platform';
import { type MessageCodec } from '../payload/message-codec';
import { MessagingMetrics } from './messaging-metrics';
import { Lanes } from '../lanes/lanes';
import { Requests } from './requests';

interface ConnectionParts {
  readonly logger: Logger;
  readonly metrics?: MessagingMetrics | undefined;
  /** What the inboxes of this user begin with, where the server lets nobody else listen to them. */
  readonly inboxPrefix?: string | undefined;
  /** Whether this process may make streams and consumers. */
  readonly mayProvision?: boolean;
}

/** One connection to NATS, and what every sender and receiver on it shares. Made by `connectNats`. */
export class MessagingConnection {
  readonly #onReconnect = new Set<() => void>();
  #isConnected = true;
  #lostAt = 0;
  readonly logger: Logger;
  readonly metrics: MessagingMetrics;
  readonly mayProvision: boolean;
  readonly #inboxPrefix: string | undefined;
  readonly requests: Requests;
  /** To processes of the same machine, beside NATS (ADR 36). */
  readonly lanes = new Lanes();

  constructor(
    readonly nats: NatsConnection,
    readonly codec: MessageCodec,
    { logger, metrics = new MessagingMetrics(), inboxPrefix, mayProvision = true }: ConnectionParts,
  ) {
    this.logger = logger;
    this.metrics = metrics;
    this.mayProvision = mayProvision;
    this.#inboxPrefix = inboxPrefix;
    this.requests = new Requests(nats, () => this.newInbox());
    void this.#watch();
  }

  /** A subject of its own to be answered on. */
  newInbox(): string {
    return createInbox(this.#inboxPrefix);
  }

  isConnected(): boolean {
    return this.#isConnected;
  }

  /** For how long there has been no connection, in milliseconds; 0 while there is one. */
  get awayMs(): number {
    return this.#isConnected ? 0 : performance.now() - this.#lostAt;
  }

  /** Calls back after every reconnect; answers how to stop that. What the server held for us may be gone by then. */
  onReconnect(callback: () => void): () => void {
    this.#onReconnect.add(callback);
    return () => this.#onReconnect.delete(callback);
  }

  /**
   * Settles while NATS is there. The client would keep in memory whatever is sent meanwhile, without a limit, so
   * senders wait here instead.
   */
  async whenConnected(timeoutMs: number): Promise<void> {
    if (this.#isConnected) return;
    const { promise, resolve } = promiseWithResolver();
    const forget = this.onReconnect(resolve);
    const timer = setTimeout(resolve, timeoutMs);
    await promise;
    clearTimeout(timer);
    forget();
    // TypeScript does not see that another method changed it meanwhile.
    if (!this.isConnected()) throw new AdkError('unavailable', 'nats.away', 'NATS cannot be reached');
  }

  /** Settles once the server has all that was sent before, subscriptions included. */
  async flush(): Promise<void> {
    await this.nats.flush();
  }

  /** Sends what is buffered, then closes. Whatever listens on it has to be stopped before. */
  async close(): Promise<void> {
    if (this.nats.isClosed()) return;
    if (this.#isConnected) await this.nats.drain();
    else await this.nats.close();
  }

  /** What the server does not let this user do is nothing that passes: somebody has to see it. */
  #tell(error: Error): void {
    if (!(error instanceof errors.PermissionViolationError)) {
      this.logger.warn({ err: error }, 'NATS reports an error');
      return;
    }
    const { operation, subject } = error;
    if (operation === 'publish') this.requests.refused(subject, error);
    this.metrics.permissionViolations.increment({ operation, tree: subject.split('.', 1)[0] ?? subject });
    this.logger.error(
      { operation, subject, code: 'nats.not-permitted', err: error },
      'NATS does not permit it',
    );
  }

  async #watch(): Promise<void> {
    for await (const status of this.nats.status()) {
      if (status.type === 'disconnect') {
        if (this.#isConnected) this.#lostAt = performance.now();
        this.#isConnected = false;
        this.lanes.suspend();
        this.logger.warn({ server: status.server }, 'NATS connection lost');
      } else if (status.type === 'reconnect') {
        this.#isConnected = true;
        this.lanes.resume();
        this.metrics.reconnects.increment();
        this.logger.info({ server: status.server }, 'NATS connection is back');
        for (const callback of [...this.#onReconnect]) callback();
      } else if (status.type === 'error') {
        this.#tell(status.error);
      }
    }
    this.#isConnected = false;
  }
}

function promiseWithResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
