import { setTimeout as delay } from 'node:timers/promises';
import { type Msg, nanos, type Subscription } from '@nats-io/transport-node';
import { type MessagingConnection } from '../connection/messaging-connection';

interface PullSubscriptionOptions {
  readonly connection: MessagingConnection;
  readonly stream: string;
  readonly durable: string;
  /** How many messages could be started now, those already asked for not counted off. */
  readonly room: () => number;
  readonly onMessage: (message: Msg) => void;
  /** Makes stream and consumer be there again. */
  readonly restore: () => Promise<void>;
}

const REQUEST_EXPIRES_MS = 60_000;
const HEARTBEAT_MS = 10_000;
const SILENCE_MS = 2.5 * HEARTBEAT_MS;
const RESTORE_DELAY_MS = 1_000;

/**
 * Asks a pull consumer for exactly as many messages as there is room for. The client's own consume() fetches ahead:
 * what lies unstarted in one busy process is kept from the idle ones, and from everybody when it is killed.
 */
export class PullSubscription {
  #subscription: Subscription | undefined;
  /** Messages asked for and not come yet. */
  #requested = 0;
  #heardAtMs = 0;
  #isRestoring = false;
  #restoredAtMs = 0;
  #isStopped = false;
  #watchdog: NodeJS.Timeout | undefined;
  #forgetReconnect: (() => void) | undefined;

  constructor(private readonly options: PullSubscriptionOptions) {}

  start(): void {
    this.#subscribe();
    this.#forgetReconnect = this.options.connection.onReconnect(() => void this.#restore('reconnected'));
    this.#watchdog = setInterval(() => this.#checkSilence(), HEARTBEAT_MS);
    this.refill();
  }

  /** Asks for more once half of the room is not asked for: not one request for each message. */
  refill(): void {
    const missing = this.options.room() - this.#requested;
    if (this.#isStopped || this.#isRestoring || !this.#subscription) return;
    if (missing <= 0 || missing < this.#requested) return;
    const { connection, stream, durable } = this.options;
    const request = {
      batch: missing,
      expires: nanos(REQUEST_EXPIRES_MS),
      idle_heartbeat: nanos(HEARTBEAT_MS),
    };
    this.#requested += missing;
    this.#heardAtMs = performance.now();
    connection.nats.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, JSON.stringify(request), {
      reply: this.#subscription.getSubject(),
    });
  }

  /**
   * Asks for no more. What the server had sent already is still handed over before this settles. What it sends in the
   * very moment the inbox closes has nowhere to go, and is given to another process after the ack wait.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#watchdog);
    this.#forgetReconnect?.();
    await this.#drain();
  }

  #subscribe(): void {
    this.#requested = 0;
    // A new inbox each time: the server drops requests whose inbox nobody listens to, so none counts twice.
    const inbox = this.options.connection.newInbox();
    const subscription = this.options.connection.nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error) {
          this.options.connection.logger.error({ err: error }, 'work cannot be received');
          return;
        }
        const isCurrent = this.#subscription === subscription;
        if (isCurrent) this.#heardAtMs = performance.now();
        if (message.subject === inbox) this.#onStatus(message, isCurrent);
        else this.#onMessage(message, isCurrent);
      },
    });
    this.#subscription = subscription;
  }

  #onMessage(message: Msg, isCurrent: boolean): void {
    if (isCurrent) this.#requested = Math.max(0, this.#requested - 1);
    this.options.onMessage(message);
    this.refill();
  }

  /** The server speaks on the inbox itself: heartbeats, and why a request ended before it was filled. */
  #onStatus(message: Msg, isCurrent: boolean): void {
    const code = message.headers?.code ?? 0;
    if (!isCurrent || code === 100) return;
    const unfilled = message.headers?.get('Nats-Pending-Messages');
    this.#requested = unfilled ? Math.max(0, this.#requested - Number(unfilled)) : 0;
    if (code === 408) this.refill();
    else void this.#restore(message.headers?.description ?? `status ${code}`);
  }

  #checkSilence(): void {
    const isSilent = this.#requested > 0 && performance.now() - this.#heardAtMs > SILENCE_MS;
    if (isSilent && this.options.connection.isConnected()) void this.#restore('no heartbeat');
  }

  /** Requests are forgotten when the server restarts, the consumer goes, or its leader changes. */
  async #restore(reason: string): Promise<void> {
    if (this.#isStopped || this.#isRestoring) return;
    this.#isRestoring = true;
    const { connection, stream, durable } = this.options;
    void this.#drain();
    // A server that refuses again at once is not ready: without a pause we would ask it as fast as it answers.
    if (performance.now() - this.#restoredAtMs < RESTORE_DELAY_MS) await this.#pause();
    for (let attempt = 1; !this.#isOver(); attempt++) {
      try {
        await this.options.restore();
        break;
      } catch (error) {
        connection.logger.warn(
          { stream, durable, reason, attempt, err: error },
          'consumer cannot be restored yet',
        );
        await this.#pause();
      }
    }
    this.#isRestoring = false;
    this.#restoredAtMs = performance.now();
    if (this.#isOver()) return;
    connection.logger.info({ stream, durable, reason }, 'consumer restored');
    this.#subscribe();
    this.refill();
  }

  async #pause(): Promise<void> {
    await delay(RESTORE_DELAY_MS * (0.5 + Math.random()), undefined, { ref: false });
  }

  /** A method, because it changes while somebody waits, and the compiler takes a field for unchanged. */
  #isOver(): boolean {
    return this.#isStopped;
  }

  async #drain(): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    if (!subscription || subscription.isClosed()) return;
    if (this.options.connection.isConnected())
      await subscription.drain().catch(() => undefined); // Closed meanwhile.
    else subscription.unsubscribe();
  }
}
