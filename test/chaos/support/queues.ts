import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { parseNatsServers } from '@skein/messaging';

/** What the work queues still hold, by stream; those that hold nothing are left out. */
export async function readQueues(natsUrl: string): Promise<Readonly<Record<string, number>>> {
  const nats = await connect({ ...parseNatsServers(natsUrl), timeout: 5_000, reconnect: false });
  try {
    const manager = await jetstreamManager(nats);
    const held: [string, number][] = [];
    for (const stream of ['RUNS', 'TOOLS', 'RESULTS']) {
      const { state } = await manager.streams.info(stream);
      if (state.messages > 0) held.push([stream, state.messages]);
    }
    return Object.fromEntries(held);
  } finally {
    await nats.close();
  }
}
