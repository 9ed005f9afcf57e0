import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Msg } from '@nats-io/transport-node';
import { AdkError, errorOutcomes } from '@skein/contracts';
import { retryAtStart, type WorkIds, workIdsOf } from '@skein/platform';
import { type z } from 'zod';
import { type MessagingConnection } from '../connection/messaging-connection';
import { type Salvage } from '../payload/message-codec';
import { processingSpan } from '../trace/spans';
import { AckLine } from './ack-line';
import { ensureConsumer, type WorkQueue } from './ensure-consumer';
import { Places } from './places';
import { PullSubscription } from './pull-subscription';
import { putBack } from './put-back';
import { settleFailure } from './settlement';
import { type DeliveryInfo, WorkMessage } from './work-message';

/** One delivery of a message, beside its body. */
export interface Delivery extends DeliveryInfo {
  readonly subject: string;
  header(name: string): string | undefined;
  /** Aborted as soon as the consumer is to stop: what only waits need not go on waiting. */
  readonly stopping: AbortSignal;
  /** Aborted when the consumer stops and does not wait any longer; the message then goes to somebody else. */
  readonly signal: AbortSignal;
  /** Waits for what ends by itself: its place is free for another one meanwhile, and it has one again behind that, though there be none. */
  readonly aside: <T>(wait: () => Promise<T>) => Promise<T>;
}

export interface ConsumeWork<Schema extends z.ZodType> extends WorkQueue {
  /** How many messages are handled at once, asked anew where that changes; no more than that are taken from the server. */
  readonly concurrency: number | (() => number);
  readonly schema: Schema;
  /** What a message is handled as whose body is refused; one without it, or that it gives nothing for, ends as refused. */
  readonly salvage?: Salvage<z.output<Schema>>;
  /** The message is acked once it settles; a throw is settled by the kind of its error. */
  readonly handler: (body: z.output<Schema>, delivery: Delivery) => Promise<unknown>;
  /** Has a message that was not started given to somebody else, without counting as a delivery; it is acked then. */
  readonly giveBack?: (body: z.output<Schema>, delivery: Delivery) => Promise<unknown>;
  /**
   * Sees to it that the consumer is there, for who may not make it, and answers what it has; it is made here without one.
   */
  readonly ensure?: () => Promise<Pick<WorkQueue, 'ackWaitMs'> | undefined>;
}

export interface WorkConsumer {
  /** How many are handled now, without those that are aside. */
  inFlight(): number;
  /**
   * Takes no more messages, hands back those not started, and waits for the started ones up to `graceMs`; those still
   * running then are aborted and handed back.
   */
  stop(graceMs?: number): Promise<void>;
}

const HEARTBEATS_PER_ACK_WAIT = 3;
/** Longer than a turn: under load there is always a message behind the one that is acked. A small part of any ack wait. */
const ACK_TICK_MS = 50;
const ACK_TICKS_PER_ACK_WAIT = 20;
const CONFLICT_ATTEMPTS = 3;
const DEFAULT_GRACE_MS = 25_000;

/** Handles the messages of a work queue, several at once, each until it is settled. */
export async function consumeWork<Schema extends z.ZodType>(
  connection: MessagingConnection,
  options: ConsumeWork<Schema>,
): Promise<WorkConsumer> {
  const { ensure = () => makeConsumer(connection, options) } = options;
  const { logger } = connection;
  const where = connection.nats.getServer();
  const opened = options.ensure
    ? await retryAtStart({ what: `The queue ${options.durable}`, where, logger, attempt: ensure })
    : await ensure();
  const consumer = new RunningConsumer(connection, { ...options, ensure });
  consumer.start(opened);
  return consumer;
}

async function makeConsumer(connection: MessagingConnection, queue: WorkQueue): Promise<WorkQueue> {
  await ensureConsumer(connection, queue);
  return queue;
}

type Opened = Pick<WorkQueue, 'ackWaitMs'> | undefined;

class RunningConsumer<Schema extends z.ZodType> implements WorkConsumer {
  readonly #tasks = new Map<WorkMessage, Promise<void>>();
  readonly #places = new Places<WorkMessage>(() => this.#pull.refill());
  /** Messages not started, on their way to somebody else. */
  readonly #goingBack = new Map<WorkMessage, Promise<void>>();
  readonly #leaving = new AbortController();
  readonly #givingUp = new AbortController();
  readonly #pull: PullSubscription;
  readonly #done: AckLine;
  #heartbeat: NodeJS.Timeout | undefined;
  #stopping: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    private readonly connection: MessagingConnection,
    private readonly options: ConsumeWork<Schema> & { readonly ensure: () => Promise<Opened> },
  ) {
    // Every message under way listens on them; Node would take more than ten of them for a leak.
    setMaxListeners(0, this.#leaving.signal, this.#givingUp.signal);
    this.#done = new AckLine(Math.min(ACK_TICK_MS, options.ackWaitMs / ACK_TICKS_PER_ACK_WAIT));
    this.#pull = new PullSubscription({
      connection,
      stream: options.stream,
      durable: options.durable,
      room: () => this.#concurrency - this.#places.taken,
      onMessage: (raw) => this.#take(raw),
      restore: async () => this.#beat(await options.ensure()),
    });
  }

  start(opened: Opened): void {
    this.#beat(opened);
    this.#pull.start();
  }

  inFlight(): number {
    return this.#places.taken;
  }

  stop(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  get #concurrency(): number {
    const { concurrency } = this.options;
    return typeof concurrency === 'number' ? concurrency : concurrency();
  }

  /** Often enough for what the consumer has, which need not be what was asked for. */
  #beat(opened: Opened): void {
    const { ackWaitMs } = this.options;
    clearInterval(this.#heartbeat);
    // A restore that was under way at the end comes here after it.
    if (this.#isStopped) return;
    this.#heartbeat = setInterval(
      () => {
        for (const message of [...this.#tasks.keys(), ...this.#goingBack.keys()]) message.working();
        // There may be more room than when the last message ended.
        this.#pull.refill();
      },
      Math.min(ackWaitMs, opened?.ackWaitMs ?? ackWaitMs) / HEARTBEATS_PER_ACK_WAIT,
    );
  }

  #take(raw: Msg): void {
    const message = new WorkMessage(raw);
    if (this.#stopping || this.#places.working >= this.#concurrency) {
      this.#putBack(message);
      return;
    }
    this.#places.take(message);
    const task = this.#process(message).finally(() => {
      this.#tasks.delete(message);
      this.#places.free(message);
    });
    this.#tasks.set(message, task);
  }

  #putBack(message: WorkMessage): void {
    const { schema, giveBack } = this.options;
    const { codec, logger } = this.connection;
    const handOn =
      giveBack && (async () => giveBack(await codec.decode(message.raw, schema), this.#deliveryOf(message)));
    const back = putBack(message, handOn, logger).finally(() => this.#goingBack.delete(message));
    this.#goingBack.set(message, back);
  }

  async #process(message: WorkMessage): Promise<void> {
    const { stream } = this.options;
    const { metrics } = this.connection;
    const startedAtMs = performance.now();
    try {
      await processingSpan(message.raw, message.info, () => this.#handleTold(message));
      metrics.messages.increment({ stream, outcome: 'done' });
      this.#done.add(message);
    } catch {
      // It is settled, and told of.
    }
    metrics.messageSeconds.observe((performance.now() - startedAtMs) / 1_000, { stream });
  }

  /** A failure is settled within the span, so that the line that tells of it has its id. */
  async #handleTold(message: WorkMessage): Promise<void> {
    const { stream, maxDeliver, schema, salvage } = this.options;
    const { codec, logger, metrics } = this.connection;
    let ids: WorkIds = {};
    try {
      const body = await codec.decode(message.raw, schema, salvage).catch(laterIfMissing);
      ids = workIdsOf(body);
      await this.#handle(message, body);
    } catch (thrown) {
      settleFailure(message, AdkError.from(thrown), { stream, maxDeliver, ids, logger, metrics });
      throw thrown;
    }
  }

  async #handle(message: WorkMessage, body: z.output<Schema>): Promise<void> {
    const { handler } = this.options;
    const delivery = this.#deliveryOf(message);
    for (let attempt = 1; ; attempt++) {
      try {
        await handler(body, delivery);
        return;
      } catch (thrown) {
        const isConflict = errorOutcomes[AdkError.from(thrown).kind].settlement === 'retry';
        if (!isConflict || attempt >= CONFLICT_ATTEMPTS) throw thrown;
      }
    }
  }

  #deliveryOf(message: WorkMessage): Delivery {
    const { info, raw } = message;
    // Not a spread first, as with all that is made for each call: V8 would give each object a hidden class of its own.
    return {
      subject: raw.subject,
      header: (name) => raw.headers?.values(name)[0],
      stopping: this.#leaving.signal,
      signal: this.#givingUp.signal,
      aside: (wait) => this.#places.aside(message, wait),
      ...info,
    };
  }

  async #stop(graceMs: number): Promise<void> {
    this.#leaving.abort();
    await this.#pull.stop();
    const timer = new AbortController();
    const late = delay(graceMs, undefined, { signal: timer.signal }).catch(() => undefined); // Aborted: all are done.
    await Promise.race([Promise.all([...this.#tasks.values(), ...this.#goingBack.values()]), late]);
    timer.abort();
    this.#isStopped = true;
    clearInterval(this.#heartbeat);
    this.#givingUp.abort();
    for (const message of this.#tasks.keys()) message.nak();
    this.#done.end();
    await Promise.all(this.#goingBack.values());
  }
}

/**
 * A payload that is not there may be there for a later delivery, once its disk is back. Refused for good, the message
 * would be lost, and with it a call or its result.
 */
function laterIfMissing(thrown: unknown): never {
  const error = AdkError.from(thrown);
  if (error.code !== 'payload.missing') throw error;
  throw new AdkError('unavailable', error.code, error.message, { cause: error });
}
