import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { AgentLoader, canReadApps } from '@skein/agent-loader';
import { canUse, openObjectStore } from '@skein/artifact-store';
import { FleetRateLimiter } from '@skein/fleet-limiter';
import { pointerBounds, runPointerSchema, runsQueue, subjects, workMessageSchema } from '@skein/contracts';
import {
  askForConsumer,
  connectService,
  consumeWork,
  LaneClient,
  LaneServer,
  serveRpc,
} from '@skein/messaging';
import { captureContent, describeError } from '@skein/engine';
import {
  capturesContent,
  nestLogger,
  type ServiceStart,
  stopTelemetry,
  subscribeWarnings,
} from '@skein/platform';
import { SessionRpc } from '@skein/session-client';
import { AppModule } from './app.module';
import { type RunnerConfig } from './config';
import { RunPointerConsumer } from './inbound/run-pointer.consumer';
import { TakenResults } from './inbound/taken-results';
import { WorkConsumer } from './inbound/work.consumer';
import { Absence } from './lease/absence';
import { Announcer } from './lease/announcer';
import { LeaseKeeper } from './lease/lease-keeper';
import { ActiveRuns } from './run/active-runs';
import { giveBack } from './run/give-back';
import { measureRuns } from './run/runner-metrics';
import { watchSteps } from './run/watch-steps';

const POINTERS_AT_ONCE = 8;
/** What giving back may take on top of the grace: a few tries to reach a session-svc. */
const RELEASE_MS = 10_000;
const POINTER_GRACE_MS = 2_000;
/** How long the word that a result is stored waits for others: its worker has another call begun already. */
const TOGETHER_MS = 5;

/** Builds the runner and opens its doors: handed-over work first, then pointers, then the announcement of credit. */
export async function startRunner(start: ServiceStart<RunnerConfig>): Promise<Record<string, never>> {
  const { config, logger, health, shutdown } = start;
  subscribeWarnings(logger);
  captureContent(capturesContent());
  const runnerId = `${config.SKEIN_PROCESS_NAME ?? 'runner'}-${randomUUID().slice(0, 8)}`;
  const connection = await connectService({ name: runnerId, config, logger, health });
  health.check('agents', () => canReadApps(config.AGENTS_DIR));

  const objects = await openObjectStore(config, logger);
  health.checkOptional('objects', () => canUse(objects));
  const parts = AppModule.with({ runnerId, config, connection, objects, logger, metrics: health.metrics });
  const app = await NestFactory.createApplicationContext(parts, { logger: nestLogger(logger) });
  await app
    .get(AgentLoader)
    .preload((appName, error) => logger.warn({ appName, reason: describeError(error) }, 'app is broken'));
  const limiter = app.get(FleetRateLimiter);
  limiter.start();
  const work = app.get(WorkConsumer);
  const absence = app.get(Absence);
  absence.start();
  const pointers = app.get(RunPointerConsumer);
  const server = serveRpc(connection, subjects.work(runnerId), {
    schema: workMessageSchema,
    handler: (message) => work.handle(message),
  });
  const lanes = new LaneClient(connection.lanes, config.DATA_DIR, 'runner');
  lanes.start();
  const results = app.get(TakenResults).serve(connection, runnerId);
  const lanesOfWorkers = new LaneServer(
    connection.lanes,
    logger,
    (leave) => void setTimeout(leave, TOGETHER_MS),
  );
  if (config.LANES) await lanesOfWorkers.listen(config.DATA_DIR, ['tool-worker']);
  const queue = { ...runsQueue, ...pointerBounds };
  const consumer = await consumeWork(connection, {
    ...queue,
    ensure: () => askForConsumer(connection, queue),
    concurrency: POINTERS_AT_ONCE,
    schema: runPointerSchema,
    handler: (pointer, delivery) => pointers.handle(pointer, delivery),
  });
  app.get(LeaseKeeper).start();
  app.get(Announcer).start();

  const runs = app.get(ActiveRuns);
  const endWatch = watchSteps(runs);
  const endMeasures = measureRuns(health.metrics, runs);
  const giving = { runs, rpc: app.get(SessionRpc), runnerId, logger };
  shutdown.step('take no more runs', () => runs.close());
  shutdown.step(
    'stop taking pointers, give runs back',
    () => Promise.all([consumer.stop(POINTER_GRACE_MS), giveBack(giving, config.STEP_GRACE_MS)]),
    config.STEP_GRACE_MS + RELEASE_MS,
  );
  shutdown.step('close toolsets', () => app.get(AgentLoader).close());
  shutdown.step('stop announcing', () => app.get(Announcer).stop());
  shutdown.step('stop renewing leases', () => app.get(LeaseKeeper).stop());
  shutdown.step('close the inbox', () =>
    Promise.all([server.close(), results.close(), lanesOfWorkers.stopListening()]),
  );
  shutdown.step('close the lanes', () => {
    lanes.close();
    lanesOfWorkers.close();
  });
  shutdown.step('stop hearing of holds', () => limiter.close());
  shutdown.step('stop watching for absences', () => absence.stop());
  shutdown.step('close Nest', () => app.close().finally(endWatch).finally(endMeasures));
  shutdown.step('flush telemetry', stopTelemetry);
  shutdown.step('close NATS', () => connection.close());
  return {};
}
