import { readFile } from 'node:fs/promises';
import { credsAuthenticator, errors } from '@nats-io/transport-node';
import { inboxPrefixOf } from '@skein/contracts';
import { type Logger, retryAtStart } from '@skein/platform';
import { MessageCodec } from '../payload/message-codec';
import { PayloadCollection } from '../payload/payload-collection';
import { type PayloadStore } from '../payload/payload-store';
import { parseNatsServers } from './nats-servers';
import { MessagingConnection } from './messaging-connection';
import { type MessagingMetrics } from './messaging-metrics';
import { connectInPasses } from './pass-transport';

export interface ConnectNats {
  /** One nats:// URL, or several with commas between them. */
  readonly url: string;
  /** Path of a credentials file. */
  readonly creds?: string | undefined;
  /** Seen in the server's list of connections. */
  readonly name: string;
  readonly logger: Logger;
  /** Where bodies above `payloadLimitBytes` go. Sender and receiver have to use the same one. */
  readonly payloads: PayloadStore;
  readonly payloadLimitBytes: number;
  /** How often the first connect is tried. */
  readonly attempts?: number;
  readonly metrics?: MessagingMetrics;
  /** Whether a named user makes streams and consumers; without a name anybody does. */
  readonly provisions?: boolean | undefined;
}

/** Connects, waiting a bounded time for the server at start; from then on reconnects for ever. */
export async function connectNats(options: ConnectNats): Promise<MessagingConnection> {
  const { url, creds, name, logger, payloads, payloadLimitBytes, attempts, metrics, provisions } = options;
  const servers = parseNatsServers(url);
  // Answers go where only this user may listen. Of a credentials file, its maker says who may listen where.
  const inboxPrefix = servers.user === undefined ? undefined : inboxPrefixOf(servers.user);
  const authenticator = creds === undefined ? undefined : credsAuthenticator(await readFile(creds));
  const nats = await retryAtStart({
    what: 'NATS',
    where: url,
    logger,
    attempts,
    isRetryable: (error) => !(error instanceof errors.AuthorizationError),
    attempt: () =>
      connectInPasses({
        ...servers,
        name,
        ...(inboxPrefix !== undefined && { inboxPrefix }),
        ...(authenticator && { authenticator }),
        timeout: 5_000,
        maxReconnectAttempts: -1,
        // Spread over a second: a fleet that comes back at once would knock the server over again.
        reconnectTimeWait: 250,
        reconnectJitter: 750,
        // The client would take a stack trace for each request beforehand, in case it fails: a tenth of a busy process.
        noAsyncTraces: true,
        // A connection that died without a word is noticed after 20 s.
        pingInterval: 10_000,
        maxPingOut: 2,
        // Credentials may be rotated under a running process; giving up would need a restart.
        ignoreAuthErrorAbort: true,
      }),
  });
  const collection = new PayloadCollection(payloads, logger);
  collection.start();
  // The connection is what puts payloads into the store, so its end is that of the collection too.
  void nats.closed().then(() => collection.stop());
  const codec = new MessageCodec(payloads, payloadLimitBytes);
  const mayProvision = provisions ?? inboxPrefix === undefined;
  return new MessagingConnection(nats, codec, { logger, metrics, inboxPrefix, mayProvision });
}
