import { type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { connect, headers } from '@nats-io/transport-node';
import { parseNatsServers } from '@skein/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { type Random } from './random';

const COPY = 'chaos-copy';
/** Every subject on which messages are sent, but for the answers to requests. */
const SUBJECTS = [
  'tool.>',
  'result.>',
  'answer.>',
  'run.>',
  'event.>',
  'partial.>',
  'work.>',
  'rpc.>',
  'announce.>',
];

/** Sends every message of a fleet again, a few times, each copy some while later: out of order with all others. */
export class Duplicator {
  readonly #subscriptions: Subscription[];
  readonly #pending = new Set<Promise<void>>();
  /** Copies sent so far. */
  sent = 0;

  private constructor(
    private readonly nats: NatsConnection,
    private readonly random: Random,
    private readonly copies: number,
  ) {
    this.#subscriptions = SUBJECTS.map((subject) =>
      nats.subscribe(subject, { callback: (_error, message) => this.#copy(message) }),
    );
  }

  static async start(natsUrl: string, random: Random, copies: number): Promise<Duplicator> {
    const nats = await connect({ ...parseNatsServers(natsUrl), timeout: 5_000 });
    const duplicator = new Duplicator(nats, random, copies);
    await nats.flush();
    return duplicator;
  }

  async stop(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    await Promise.all(this.#pending);
    await this.nats.drain();
  }

  #copy(message: Msg): void {
    if (message.headers?.has(COPY)) return;
    for (let n = 0; n < this.copies; n++) {
      const sending = this.#send(message, this.random.integer(0, 120)).finally(() =>
        this.#pending.delete(sending),
      );
      this.#pending.add(sending);
    }
  }

  async #send({ subject, data, reply, headers: original }: Msg, delayMs: number): Promise<void> {
    await pause(delayMs);
    const marked = headers();
    // Without its id, so that no window of the server drops it: only we can.
    for (const key of original?.keys() ?? []) {
      if (key !== 'Nats-Msg-Id') for (const value of original?.values(key) ?? []) marked.append(key, value);
    }
    marked.set(COPY, '1');
    this.nats.publish(subject, data, { headers: marked, ...(reply ? { reply } : {}) });
    this.sent += 1;
  }
}
