import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { inboxPrefixOf, type NatsGrant, toolPriorities, toolQueue } from '@skein/contracts';
import {
  connectNats,
  ensureConsumer,
  LocalPayloadStore,
  type MessagingConnection,
  MessagingMetrics,
  provisionStreams,
} from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { type EmbeddedNats, NatsAccess, startEmbeddedNats } from '@skein/stack';
import { refusedOf } from './refused-of';

export const workerUsers = [
  { user: 'worker-a', pools: ['a'] },
  { user: 'worker-b', pools: ['b'] },
] as const;
export const queueBounds = { ackWaitMs: 30_000, maxDeliver: 100 };

/** A nats-server with the permissions of ours, and streams and consumers that session-svc has made by its own. */
export class PermittedNats {
  readonly #ends: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly dataDir: string,
    private readonly access: NatsAccess,
    private readonly server: EmbeddedNats,
  ) {}

  static async start(): Promise<PermittedNats> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'skein-permissions-'));
    const access = new NatsAccess('a secret of the test', workerUsers);
    const nats = new PermittedNats(dataDir, access, await startEmbeddedNats({ dataDir, access }));
    const service = await nats.ours('session-svc');
    await provisionStreams(service);
    for (const { pools } of workerUsers) {
      for (const priority of toolPriorities) {
        await ensureConsumer(service, { ...toolQueue(pools[0], priority), ...queueBounds });
      }
    }
    return nats;
  }

  get address(): string {
    return new URL(this.server.url).host;
  }

  /** The plain client, as somebody has it who holds these credentials and none of our code. */
  async raw(user: string): Promise<NatsConnection> {
    const { password: pass } = new URL(this.access.urlOf(this.server.url, user));
    const inboxPrefix = inboxPrefixOf(user);
    const made = await connect({ servers: this.address, user, pass, reconnect: false, inboxPrefix });
    this.#ends.push(() => made.close());
    return made;
  }

  async ours(user: string, metrics = new MessagingMetrics()): Promise<MessagingConnection> {
    const made = await connectNats({
      url: this.access.urlOf(this.server.url, user),
      name: user,
      logger: silentLogger,
      payloads: new LocalPayloadStore(path.join(this.dataDir, 'payloads')),
      payloadLimitBytes: 262_144,
      metrics,
    });
    this.#ends.push(() => made.close());
    return made;
  }

  /** What the server refused of all this, sent or listened to. */
  async refused(user: string, operation: keyof NatsGrant, tried: readonly string[]): Promise<string[]> {
    return refusedOf(await this.raw(user), operation, tried);
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) await end();
    await this.server.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
