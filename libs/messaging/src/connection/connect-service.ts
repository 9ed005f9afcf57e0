import path from 'node:path';
import { type CommonConfig, type HealthServer, type Logger } from '@skein/platform';
import { LocalPayloadStore } from '../payload/local-payload-store';
import { provisionStreams } from '../streams/provision-streams';
import { isJetStreamThere } from '../streams/is-jetstream-there';
import { connectNats } from './connect-nats';
import { type MessagingConnection } from './messaging-connection';
import { MessagingMetrics } from './messaging-metrics';

export interface ConnectService {
  /** Seen in the server's list of connections. */
  readonly name: string;
  readonly config: CommonConfig;
  readonly logger: Logger;
  readonly health: HealthServer;
  /** Makes the streams at its start: session-svc does. */
  readonly provisions?: boolean;
}

/** The connection of one process: with its streams there where it may make them, its large bodies under DATA_DIR, and its state in `/ready`. */
export async function connectService({
  name,
  config,
  logger,
  health,
  provisions,
}: ConnectService): Promise<MessagingConnection> {
  const connection = await connectNats({
    url: config.NATS_URL,
    creds: config.NATS_CREDS,
    name,
    logger,
    payloads: new LocalPayloadStore(path.join(config.DATA_DIR, 'payloads')),
    payloadLimitBytes: config.PAYLOAD_LIMIT_BYTES,
    metrics: new MessagingMetrics(health.metrics),
    provisions,
  });
  health.metrics.gauge(
    'skein_lanes',
    'Connections to processes of the same machine, beside NATS.',
    () => connection.lanes.count,
  );
  health.check('nats', () => connection.isConnected());
  health.check('jetstream', () => isJetStreamThere(connection));
  if (connection.mayProvision) await provisionStreams(connection);
  return connection;
}
