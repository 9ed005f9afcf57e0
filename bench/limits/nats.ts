import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { parseNatsServers } from '@skein/messaging';
import { startEmbeddedNats } from '@skein/stack';
import { quantile } from '../report';

const ALONE = 1_000;
const CROWD = 10_000;
const IN_FLIGHT = 64;
/** About what a call of a tool takes. */
const BODY = 'x'.repeat(1_500);

export interface NatsLimits {
  measure(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

/** What NATS takes by itself, on a server of its own: a request and its reply, a message stored, a message consumed. */
export async function startNatsLimits(dataDir: string): Promise<NatsLimits> {
  const server = await startEmbeddedNats({ dataDir });
  const [asking, answering] = await Promise.all([connected(server.url), connected(server.url)]);
  answering.subscribe('limits.echo', { callback: (_error, message) => void message.respond(message.data) });
  await answering.flush();
  const manager = await jetstreamManager(asking);
  await manager.streams.add({
    name: 'LIMITS',
    subjects: ['limits.stored'],
    retention: RetentionPolicy.Workqueue,
  });
  await manager.consumers.add('LIMITS', {
    durable_name: 'limits',
    ack_policy: AckPolicy.Explicit,
    max_ack_pending: 4_096,
  });
  const js = jetstream(asking);
  const ask = (): Promise<unknown> => asking.request('limits.echo', BODY, { timeout: 5_000 });
  const publish = (): Promise<unknown> => js.publish('limits.stored', BODY);
  return {
    async measure() {
      return {
        requestReplyP50Ms: await p50Ms(ask),
        requestRepliesPerSecond: await perSecond(ask),
        jetStreamPublishP50Ms: await p50Ms(publish),
        jetStreamPublishesPerSecond: await perSecond(publish),
        jetStreamConsumedPerSecond: await consumedPerSecond(answering, ALONE + CROWD),
      };
    },
    async stop() {
      await Promise.all([asking.close(), answering.close()]);
      await server.stop();
    },
  };
}

const connected = (url: string): Promise<NatsConnection> => connect({ ...parseNatsServers(url) });

async function p50Ms(act: () => Promise<unknown>): Promise<number> {
  const samplesMs: number[] = [];
  for (let n = 0; n < ALONE; n++) {
    const begun = performance.now();
    await act();
    samplesMs.push(performance.now() - begun);
  }
  return quantile(samplesMs, 0.5);
}

async function perSecond(act: () => Promise<unknown>): Promise<number> {
  let left = CROWD;
  const begun = performance.now();
  const drive = async (): Promise<void> => {
    while (left-- > 0) await act();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, drive));
  return CROWD / ((performance.now() - begun) / 1_000);
}

/** Takes and acknowledges what was published before. */
async function consumedPerSecond(nats: NatsConnection, messages: number): Promise<number> {
  const consumer = await jetstream(nats).consumers.get('LIMITS', 'limits');
  const begun = performance.now();
  const taken = await consumer.consume({ max_messages: 500 });
  let left = messages;
  for await (const message of taken) {
    message.ack();
    if (--left === 0) break;
  }
  return messages / ((performance.now() - begun) / 1_000);
}
