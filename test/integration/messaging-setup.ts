import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectNats, LocalPayloadStore, type MessagingConnection, MessagingMetrics } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { type EmbeddedNats, type NatsAccess, startEmbeddedNats } from '@skein/stack';

export interface NatsSetup {
  readonly dataDir: string;
  readonly url: string;
  /** A connection of its own for each part; all are closed at the end. */
  connect(name?: string, metrics?: MessagingMetrics): Promise<MessagingConnection>;
  /** Kills the server and starts it on the same port, once `whileAway` has settled. */
  restart(options: {
    readonly withEmptyDisk: boolean;
    readonly whileAway?: () => Promise<void>;
  }): Promise<void>;
  stop(): Promise<void>;
}

/** A nats-server with a fresh disk, and connections to it: of its administrator, where `access` says who may do what. */
export async function startNats(access?: NatsAccess): Promise<NatsSetup> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'skein-messaging-'));
  let nats: EmbeddedNats = await startEmbeddedNats({ dataDir, access });
  const connections: MessagingConnection[] = [];
  return {
    dataDir,
    url: nats.url,
    async connect(name = 'test', metrics = new MessagingMetrics()) {
      const connection = await connectNats({
        url: nats.url,
        name,
        logger: silentLogger,
        metrics,
        payloads: new LocalPayloadStore(path.join(dataDir, 'payloads')),
        payloadLimitBytes: 262_144,
      });
      connections.push(connection);
      return connection;
    },
    async restart({ withEmptyDisk, whileAway }) {
      process.kill(nats.pid, 'SIGKILL');
      await nats.exited;
      await whileAway?.();
      if (withEmptyDisk) await rm(path.join(dataDir, 'nats'), { recursive: true });
      nats = await startEmbeddedNats({ dataDir, access, port: nats.port });
    },
    async stop() {
      await Promise.all(connections.map((connection) => connection.close()));
      await nats.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Settles once the condition holds; fails with its last error, or what was awaited, after the deadline. */
export async function until(what: string, condition: () => unknown, deadlineMs = 10_000): Promise<void> {
  const endsAt = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > endsAt) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await delay(10);
  }
}

/** A promise and how to settle it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
