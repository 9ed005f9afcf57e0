import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { toolQueue } from '@skein/contracts';
import { parseNatsServers } from '@skein/messaging';

/** What JetStream does with a message that nobody settles, as its administrator sees and sets it. */
export class GivenUp {
  constructor(private readonly natsUrl: string) {}

  /** A call is given up after so many deliveries; those of a pool's workers that start anew set it back. */
  async after(deliveries: number): Promise<void> {
    await this.#use(({ consumers }) =>
      consumers.update('TOOLS', toolQueue('default').durable, { max_deliver: deliveries }),
    );
  }

  /** How many advisories are kept for whoever hears of them. */
  async kept(): Promise<number> {
    return this.#use(async ({ streams }) => (await streams.info('ADVISORIES')).state.messages);
  }

  async forget(): Promise<void> {
    await this.#use(({ streams }) => streams.purge('ADVISORIES'));
  }

  /** How many calls lie in their queues. */
  async left(): Promise<number> {
    return this.#use(async ({ streams }) => (await streams.info('TOOLS')).state.messages);
  }

  async #use<T>(ask: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    const nats = await connect({ ...parseNatsServers(this.natsUrl), timeout: 5_000, reconnect: false });
    try {
      return await ask(await jetstreamManager(nats));
    } finally {
      await nats.close();
    }
  }
}
