import { connectService } from '@skein/messaging';
import type { ServiceStart } from '@skein/platform';
import { AgentsFolder } from './agents-folder';
import { natsPorts } from './app.module';
import type { GatewayConfig } from './config';
import { createGateway } from './create-gateway';
import { listen } from './listen';
import { RunnerWatch } from './nats/runner-watch';

/** A `/run` that takes longer is cut off; its run goes on, and its client may ask again with its Idempotency-Key. */
const FINISH_REQUESTS_MS = 25_000;

/** Builds the gateway, says what it needs to serve a turn, and opens its port last. */
export async function startGateway(start: ServiceStart<GatewayConfig>): Promise<{ readonly url: string }> {
  const { config, logger, health, shutdown } = start;
  const connection = await connectService({
    name: config.SKEIN_PROCESS_NAME ?? 'gateway',
    config,
    logger,
    health,
  });
  const ports = natsPorts(connection, config.DATA_DIR);
  const runners = new RunnerWatch(connection);
  const nobody = { appName: 'ready', userId: 'ready' };
  health.check('session-svc', () => ports.sessions.list(nobody).then(() => true));
  health.check('runner', () => runners.isRunnerThere());

  const agents = new AgentsFolder(config.AGENTS_DIR);
  const http = { host: config.HOST, bodyLimitBytes: config.BODY_LIMIT_BYTES };
  const gateway = await createGateway({ ...ports, agents, health, logger }, http);
  shutdown.step('end streams and answer requests', () => gateway.close(), FINISH_REQUESTS_MS);
  shutdown.step('stop watching runners', () => runners.close());
  shutdown.step('close NATS', () => connection.close());
  return { url: await listen(gateway.server, config.HOST, config.PORT) };
}
