/*
 * What every process of Skein needs before it does its own work. A main.ts reads:
 *
 *   import { runService, startTelemetry } from '@skein/platform';
 *
 *   startTelemetry('skein-runner'); // Before the imports below: pg is instrumented while it is loaded.
 *
 *   import { runnerConfig } from './config';
 *   import { startRunner } from './start-runner';
 *
 *   void runService({ name: 'runner', config: runnerConfig, start: startRunner });
 *
 * config.ts is one zod schema over the names of the environment, and may end in a transform:
 *
 *   export const runnerConfig = z.object({ ...commonEnv, RUNNER_CONCURRENCY: integerFrom(1, 64) });
 *   export type RunnerConfig = z.output<typeof runnerConfig>;
 *
 * start-runner.ts builds the service and says how it ends; steps run in the order they were added, each bounded:
 *
 *   export async function startRunner({ config, logger, health, shutdown }: ServiceStart<RunnerConfig>) {
 *     const connection = await connectService({ name: 'runner', config, logger, health });
 *     health.check('postgres', () => probe.ping());
 *     shutdown.step('stop taking work', () => consumer.stop(), 25_000);
 *     shutdown.step('close NATS', () => connection.close());
 *     return {}; // The gateway answers { url }.
 *   }
 *
 * Nest is created with `{ logger: nestLogger(logger) }` and without enableShutdownHooks(): runService owns the signals.
 */
export { commonEnv, type CommonConfig, withCommonRules } from './config/common-env';
export { booleanText, durationMs, integerFrom, list, listOf, url } from './config/fields';
export { ConfigError, loadConfig, type ConfigProblem } from './config/load-config';
export { providerEnvironment } from './config/provider-environment';
export { HealthServer, type HealthCheck } from './health/health-server';
export { EARLY_LOOKS } from './lifecycle/optimize-early';
export { skeinVersion } from './lifecycle/skein-version';
export { retryAtStart, type RetryAtStart } from './lifecycle/retry-at-start';
export { runService, type Service, type ServiceStart } from './lifecycle/run-service';
export { Shutdown } from './lifecycle/shutdown';
export { logConsole } from './logging/console-lines';
export { subscribeWarnings } from './logging/log-channels';
export { withWorkIds, type WorkIds, workIdsOf } from './logging/log-context';
export { LineLimit } from './logging/line-limit';
export { createLogger, silentLogger, type Logger } from './logging/logger';
export { nestLogger } from './logging/nest-logger';
export { withoutPassword } from './logging/redact';
export { type Counter, type Histogram, Metrics, METRICS_TYPE } from './metrics/metrics';
export { capturesContent } from './telemetry/captures-content';
export { startTelemetry, stopTelemetry } from './telemetry/start-telemetry';
