import { AdkError } from '@skein/contracts';
import { type z } from 'zod';
import { type CommonConfig } from '../config/common-env';
import { forgetSecrets } from '../config/forget-secrets';
import { loadConfig } from '../config/load-config';
import { providerEnvironment } from '../config/provider-environment';
import { HealthServer } from '../health/health-server';
import { concealLine } from '../logging/conceal-line';
import { logConsole } from '../logging/console-lines';
import { followWork } from '../logging/log-context';
import { createLogger, type Logger } from '../logging/logger';
import { withoutPassword } from '../logging/redact';
import { measureProcess } from '../metrics/process-metrics';
import { measureSpans } from '../telemetry/span-figures';
import { stopTelemetry } from '../telemetry/start-telemetry';
import { collectAlone } from './collect-alone';
import { optimizeEarly } from './optimize-early';
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
  /** It begins threads as it goes on, and what each of them loads is not worth compiling for speed. */
  readonly beginsThreads?: boolean;
  /** Builds the service. Once it settles the process is ready; a throw ends the process with its message. */
  readonly start: (start: ServiceStart<Config>) => Promise<{ readonly url?: string }>;
}

/** The life of one process: configuration, start, ready, signal, end. Settles when it is ready or about to exit. */
export async function runService<Config extends CommonConfig>(service: Service<Config>): Promise<void> {
  let end: (code: number) => Promise<void> = async (code) => process.exit(code);
  let logger = firstLogger(service.name);
  collectAlone();
  if (service.beginsThreads !== true) optimizeEarly();
  try {
    const config = loadConfig(service.config);
    const conceal = concealLine({ ...process.env, ...textsOf(config), ...providerEnvironment() });
    forgetSecrets();
    const health = new HealthServer({ host: config.HOST, port: config.HEALTH_PORT });
    const lines = health.metrics.counter('skein_log_lines_total', 'Lines written to the log, by level.', [
      'level',
    ]);
    logger = createLogger({
      service: config.SKEIN_PROCESS_NAME ?? service.name,
      level: config.LOG_LEVEL,
      format: config.LOG_FORMAT,
      conceal,
      onLine: (level) => lines.increment({ level }),
    });
    logConsole(logger);
    measureSpans(health.metrics);
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
    // What we threw says all in its sentence.
    logger.error(
      AdkError.isInstance(error) ? { code: error.code } : { err: error },
      `${service.name} cannot start: ${reason}`,
    );
    await reportToParent({ type: 'failed', reason });
    await end(1);
  }
}

/** For what goes wrong before the configuration says how to log. */
function firstLogger(service: string): Logger {
  const { LOG_FORMAT } = process.env;
  return createLogger({ service, format: LOG_FORMAT === 'pretty' ? 'pretty' : 'json' });
}

/** Secrets that came in files are in the configuration alone. */
function textsOf(config: object): Readonly<Record<string, string>> {
  const texts = Object.entries(config).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
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
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'unhandled rejection');
    followWork();
  });
}
