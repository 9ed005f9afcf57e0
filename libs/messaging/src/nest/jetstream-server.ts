import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { type z } from 'zod';
import { type MessagingConnection } from '../connection/messaging-connection';
import { type ConsumeWork, consumeWork, type Delivery, type WorkConsumer } from '../work/consume-work';

/** A work queue and the `@MessagePattern` its messages go to. Several queues may share one. */
export interface NestWorkQueue extends Omit<ConsumeWork<z.ZodType>, 'handler'> {
  readonly pattern: string;
}

interface JetStreamServerOptions {
  readonly connection: MessagingConnection;
  readonly queues: readonly NestWorkQueue[];
  readonly graceMs?: number;
}

/**
 * Nest's transport for work queues; Nest's own NATS transport is core NATS: at most once, without a bound, lost at
 * SIGTERM. A handler gets the parsed body as payload and a `Delivery` as context.
 */
export class JetStreamServer extends Server implements CustomTransportStrategy {
  #consumers: WorkConsumer[] = [];

  constructor(private readonly options: JetStreamServerOptions) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    this.#listen().then(() => callback(), callback);
  }

  /** Ends as `WorkConsumer.stop` does. The connection stays: who made it closes it. */
  async close(): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.stop(this.options.graceMs)));
  }

  inFlight(): number {
    return this.#consumers.reduce((sum, consumer) => sum + consumer.inFlight(), 0);
  }

  /** Nest offers events of a transport here; ours are in the log. */
  on(): never {
    throw new Error('the JetStream transport has no events to listen to');
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- Nest's signature: the caller names the type.
  unwrap<T>(): T {
    return this.options.connection as T;
  }

  async #listen(): Promise<void> {
    const { connection, queues } = this.options;
    // All handlers are looked up before the first message is taken.
    const handlers = queues.map(({ pattern }) => this.#handlerOf(pattern));
    for (const [index, queue] of queues.entries()) {
      const handler = handlers[index];
      if (handler) this.#consumers.push(await consumeWork(connection, { ...queue, handler }));
    }
  }

  #handlerOf(pattern: string): (body: unknown, delivery: Delivery) => Promise<unknown> {
    const handler = this.getHandlerByPattern(pattern);
    if (!handler) throw new Error(`no handler for ${pattern}`);
    return async (body, delivery) => {
      const answer: unknown = await handler(body, delivery);
      // An answer that is no stream is left as it is: nobody waits for a second value.
      return isObservable(answer) ? lastValueFrom(answer, { defaultValue: undefined }) : answer;
    };
  }
}
