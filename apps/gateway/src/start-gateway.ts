import { canReadApps } from '@skein/agent-loader';
import { subjects } from '@skein/contracts';
import { connectService, LaneClient, type MessagingConnection, RpcClient } from '@skein/messaging';
import type { HealthServer, Logger, ServiceStart } from '@skein/platform';
import { z } from 'zod';
import { canUse, openObjectStore } from '@skein/artifact-store';
import { AgentsFolder } from './agents-folder';
import { natsPorts } from './app.module';
import { ContentLimits } from './artifacts/content-limits';
import type { GatewayConfig } from './config';
import { createGateway } from './create-gateway';
import { workOfRequest } from './http/work-of-request';
import { listen } from './listen';
import { RunnerWatch } from './nats/runner-watch';
import { OpenStreams } from './run/open-streams';

/** Who waits for a `/run` longer than this is told to ask again with the Idempotency-Key; the run goes on. */
const ANSWER_MS = 20_000;
/** On top of both, for what is sent then. */
const CLOSE_MS = 5_000;
const BODY_MS = 60_000;
/** In which a client sends nothing of an upload, or takes nothing of a download. */
const CONTENT_IDLE_MS = 30_000;

/** Builds the gateway, says what it needs to serve a turn, and opens its port last. */
export async function startGateway(start: ServiceStart<GatewayConfig>): Promise<{ readonly url: string }> {
  const { config, logger, health, shutdown } = start;
  const connection = await connectService({
    name: config.SKEIN_PROCESS_NAME ?? 'gateway',
    config,
    logger,
    health,
  });
  const objects = await openObjectStore(config, logger);
  health.checkOptional('objects', () => canUse(objects));
  const ports = natsPorts(connection, objects, config.DATA_DIR);
  const lanes = new LaneClient(connection.lanes, config.DATA_DIR, 'gateway');
  lanes.start();
  const runners = new RunnerWatch(connection);
  health.check('session-svc', () => isServed(connection));
  health.check('runner', () => runners.isRunnerThere());
  health.check('agents', () => canReadApps(config.AGENTS_DIR));

  const agents = new AgentsFolder(config.AGENTS_DIR);
  const streams = openStreams(config, health, logger);
  const gateway = await createGateway(
    {
      ...ports,
      contentLimits: new ContentLimits(config.ARTIFACT_LIMIT_BYTES, CONTENT_IDLE_MS),
      agents,
      streams,
      health,
      logger,
    },
    {
      host: config.HOST,
      allowedHosts: config.ALLOWED_HOSTS,
      bodyLimitBytes: config.BODY_LIMIT_BYTES,
      bodyMs: BODY_MS,
      drainMs: config.DRAIN_MS,
      answerMs: ANSWER_MS,
    },
  );
  const closeWithinMs = config.DRAIN_MS + ANSWER_MS + CLOSE_MS;
  shutdown.step('end streams and answer requests', () => gateway.close(), closeWithinMs);
  shutdown.step('stop watching runners', () => runners.close());
  shutdown.step('close the lanes', () => lanes.close());
  shutdown.step('close NATS', () => connection.close());
  return { url: await listen(gateway.server, config.HOST, config.PORT) };
}

/** Over NATS alone: reads have another way, a turn has not. */
async function isServed(connection: MessagingConnection): Promise<boolean> {
  const rpc = new RpcClient(connection, { patienceMs: 0 });
  const nobody = { appName: 'ready', userId: 'ready' };
  await rpc.request(subjects.sessionRpc('list'), z.unknown(), nobody, { timeoutMs: 2_000 });
  return true;
}

function openStreams(config: GatewayConfig, { metrics }: HealthServer, logger: Logger): OpenStreams {
  const slowClients = metrics.counter(
    'skein_slow_clients_total',
    'Clients sent away because they did not read their event stream.',
  );
  const streams = new OpenStreams({
    heartbeatMs: config.SSE_HEARTBEAT_MS,
    stallMs: config.SSE_STALL_MS,
    onSlowClient: (response) => {
      slowClients.increment();
      logger.warn(
        { ...workOfRequest(response), stallMs: config.SSE_STALL_MS },
        'a client does not read its event stream: it is sent away',
      );
    },
  });
  metrics.gauge('skein_open_streams', 'Event streams that are open.', () => streams.count);
  return streams;
}
