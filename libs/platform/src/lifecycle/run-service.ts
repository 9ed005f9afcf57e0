import { type z } from 'zod';
import { type CommonConfig } from '../config/common-env';
import { forgetSecrets } from '../config/forget-secrets';
import { loadConfig } from '../config/load-config';
import { HealthServer } from '../health/health-server';
import { createLogger, type Logger } from '../logging/logger';
import { withoutPassword } from '../logging/redact';
import { measureProcess } from '../metrics/process-metrics';
import { stopTelemetry } from '../telemetry/start-telemetry';
import { reportToParent } from './report-to-parent';
import { Shutdown } from './shutdown';
import { skeinVersion } from './skein-version';

/** What a service is given to start with. */
export interface ServiceStart<Config> {
  readonly config: Config;
  readonly logger: Logger;
  readonly health: HealthServer;
  readonly shutdown: Shutdown;
}

export interface Service<Config> {
  /** As `gateway`. */
  readonly name: string;
  readonly config: z.ZodType<Config>;
  /** Builds the service. Once it settles the process is ready; a throw ends the process with its message. */
  readonly start: (start: ServiceStart<Config>) => Promise<{ readonly url?: string }>;
}

/** The life of one process: configuration, start, ready, signal, end. Settles when it is ready or about to exit. */
export async function runService<Config extends CommonConfig>(service: Service<Config>): Promise<void> {
  let end: (code: number) => Promise<void> = async (code) => process.exit(code);
  try {
    const config = loadConfig(service.config);
    forgetSecrets();
    const logger = createLogger({
      service: config.SKEIN_PROCESS_NAME ?? service.name,
      level: config.LOG_LEVEL,
      format: config.LOG_FORMAT,
    });
    const health = new HealthServer({ host: config.HOST, port: config.HEALTH_PORT });
    measureProcess(health.metrics, { service: service.name, version: skeinVersion() });
    const shutdown = new Shutdown(logger, config.SHUTDOWN_GRACE_MS);
    end = endOnce(shutdown, health, logger);
    endOnSignals(end, logger);
    const healthUrl = await health.listen();
    const started = await service.start({ config, logger, health, shutdown });
    if (shutdown.hasBegun) return;
    health.started();
    await reportToParent({ type: 'ready', url: started.url, healthUrl });
    logger.info({ url: started.url, healthUrl }, `${service.name} is ready`);
  } catch (error) {
    const reason = withoutPassword(error instanceof Error ? error.message : String(error));
    process.stderr.write(`${service.name} cannot start: ${reason}\n`);
    await reportToParent({ type: 'failed', reason });
    await end(1);
  }
}

function endOnce(shutdown: Shutdown, health: HealthServer, logger: Logger): (code: number) => Promise<void> {
  return async (code) => {
    health.draining();
    await shutdown.run();
    await health.close();
    await stopTelemetry();
    logger.info({ code }, 'ended');
    process.exit(code);
  };
}

function endOnSignals(end: (code: number) => Promise<void>, logger: Logger): void {
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (++signals > 1) process.exit(1); // Whoever asks twice does not want to wait.
      logger.info({ signal }, 'ending');
      void end(0);
    });
  }
  process.on('disconnect', () => {
    logger.warn({}, 'the parent process is gone: ending');
    void end(0);
  });
  // Its state is unknown, so it must not go on; what others wait for is handed back by the steps first.
  process.on('uncaughtException', (error) => {
    logger.error({ err: error }, 'uncaught exception: ending');
    void end(1);
  });
  // A promise nobody awaits belongs to one run or one tool. Ending the process would cut all the others for it.
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'unhandled rejection'));
}
