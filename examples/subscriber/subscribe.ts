import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, type Consumer, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { type SubscriberOptions } from './arguments';
import { EventLog } from './event-log';
import { findServers } from './find-servers';
import { GatewayReader } from './gateway-reader';
import { ACK_WAIT_MS, MessageHandler } from './message-handler';

const STREAM = 'EVENTS';
const PAUSE_MS = 1_000;

/**
 * Follows all sessions until the signal. Whatever fails (NATS or the gateway is away, the stream is gone, the disk is
 * full) ends one try; the next begins at what is stored, so there is nothing to repair.
 */
export async function subscribe(options: SubscriberOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow(options, signal);
    } catch (error) {
      say(`interrupted, goes on soon: ${String(error)}`);
    }
    // Ends early by the signal, which the loop asks about.
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function follow(options: SubscriberOptions, signal: AbortSignal): Promise<void> {
  const { natsUrl, gatewayUrl } = findServers(options);
  const log = await EventLog.open(options.outputDir);
  const handler = new MessageHandler(log, new GatewayReader(gatewayUrl), say);
  const nats = await connect({
    ...serverOf(natsUrl),
    name: options.name,
    timeout: 5_000,
    // A short outage is the client's; after it, or at another address, `subscribe` connects anew, for ever.
    maxReconnectAttempts: 20,
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    // A connection that died without a word is noticed after 20 s.
    pingInterval: 10_000,
    maxPingOut: 2,
  });
  try {
    const consumer = await openConsumer(nats, options.name);
    // After the consumer is there and before it is read: what comes from now on is in the stream.
    await handler.catchUp();
    say(`follows ${STREAM}`);
    while (!signal.aborted && !nats.isClosed()) await takeBatch(consumer, handler, signal);
  } finally {
    // An ack that is lost here comes back as a message that is known already.
    await nats.close();
  }
}

/** The client does not read a name and a password out of a URL. */
function serverOf(natsUrl: string): { servers: string; user?: string; pass?: string } {
  const { host, username, password } = new URL(natsUrl);
  if (username === '') return { servers: host };
  return { servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

/** Creates the durable consumer, from the oldest event on, or finds it where it was left. */
async function openConsumer(nats: NatsConnection, name: string): Promise<Consumer> {
  const manager = await jetstreamManager(nats);
  await manager.consumers.add(STREAM, {
    durable_name: name,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1,
  });
  return jetstream(nats).consumers.get(STREAM, name);
}

/** Not `consume`: a fetch ends with an error when the stream or the consumer is gone, and both are opened anew. */
async function takeBatch(consumer: Consumer, handler: MessageHandler, signal: AbortSignal): Promise<void> {
  const messages = await consumer.fetch({ max_messages: 100, expires: 10_000 });
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop);
  try {
    for await (const message of messages) {
      await handler.handle(message);
      if (signal.aborted) return;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
