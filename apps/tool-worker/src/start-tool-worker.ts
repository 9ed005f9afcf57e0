import { hostname } from 'node:os';
import { NestFactory } from '@nestjs/core';
import { AgentLoader, canReadApps } from '@skein/agent-loader';
import { canUse, openObjectStore } from '@skein/artifact-store';
import {
  CALL_DELIVERIES,
  cancelledCallsSchema,
  subjects,
  toolCallMessageSchema,
  toolQueue,
} from '@skein/contracts';
import { describeError } from '@skein/engine';
import { FleetRateLimiter } from '@skein/fleet-limiter';
import {
  askForConsumer,
  connectService,
  JetStreamServer,
  LaneClient,
  type MessagingConnection,
  type NestWorkQueue,
  PassErrorFilter,
  RpcClient,
  subscribeCore,
} from '@skein/messaging';
import { nestLogger, type ServiceStart, stopTelemetry, subscribeWarnings } from '@skein/platform';
import { AppModule } from './app.module';
import { CancelledCalls } from './calls/cancelled-calls';
import { type ToolWorkerConfig } from './config';
import { letThreadsBeBounded } from './isolation/isolate-heap';
import { IsolatePools } from './isolation/isolate-pools';
import { type LoadedToolCatalog } from './catalog/loaded-tool-catalog';
import { MemoryPressure } from './memory-pressure';
import { TOOL_CALL } from './calls/tool-call.consumer';
import { ToolCatalog } from './catalog/tool-catalog';
import { ToolDesk } from './calls/tool-desk';
import { LoopWatchdog } from './watchdog/loop-watchdog';
import { WorkerAnnouncer } from './announcing/worker-announcer';

/** Of the grace, for what comes after the calls: handing back, spans, the connection. */
const LAST_STEPS_MS = 5_000;

/**
 * Builds the worker. What a tool throws outside of its promise is handled by runService: a promise nobody awaits is
 * logged and the other calls go on; an uncaught exception ends the process, because its state is unknown, but through
 * the steps below, so that started calls still finish and the rest goes to other workers. No call is lost either way,
 * and one that always ends its worker runs out of attempts.
 */
export async function startToolWorker(start: ServiceStart<ToolWorkerConfig>): Promise<Record<string, never>> {
  letThreadsBeBounded();
  const { config, logger, health, shutdown } = start;
  subscribeWarnings(logger);
  // In containers every process has the same pid.
  const worker = config.SKEIN_PROCESS_NAME ?? `tool-worker-${hostname()}-${process.pid}`;
  const connection = await connectService({ name: worker, config, logger, health });
  health.check('agents', () => canReadApps(config.AGENTS_DIR));

  const lanes = new LaneClient(connection.lanes, config.DATA_DIR, 'tool-worker');
  if (config.LANES) lanes.start();
  const desk = new ToolDesk(new RpcClient(connection), logger);
  const memory = new MemoryPressure({ limitBytes: config.TOOL_MEMORY_LIMIT_BYTES, logger });
  const queues = config.TOOL_POOLS.map((pool) => queueOf(pool, { config, connection, desk, memory }));
  const graceMs = Math.max(0, config.SHUTDOWN_GRACE_MS - LAST_STEPS_MS);
  const server = new JetStreamServer({ connection, queues, graceMs });
  const objects = await openObjectStore(config, logger);
  health.checkOptional('objects', () => canUse(objects));
  const parts = AppModule.with({
    worker,
    config,
    connection,
    desk,
    memory,
    objects,
    metrics: health.metrics,
    logger,
  });
  const app = await NestFactory.createMicroservice(parts, {
    strategy: server,
    logger: nestLogger(logger),
  });
  app.useGlobalFilters(new PassErrorFilter());
  const agents = app.get(AgentLoader);
  await agents.preload((appName, error) =>
    logger.warn({ appName, reason: describeError(error) }, 'app is broken'),
  );
  await app.get<LoadedToolCatalog>(ToolCatalog).prepare(agents.listApps());
  health.metrics.gauge('skein_tool_calls_running', 'Tool calls running now.', () => server.inFlight());
  // Tools ask models too.
  const limiter = app.get(FleetRateLimiter);
  limiter.start();
  const cancelledCalls = app.get(CancelledCalls);
  const cancels = subscribeCore(
    connection,
    subjects.cancelledCalls,
    cancelledCallsSchema,
    ({ invocationId }) => cancelledCalls.cancel(invocationId),
  );
  const announcer = app.get(WorkerAnnouncer);
  // Before the first call is taken: a signal in between must not leave it behind.
  // First, so that no call is given to this pool for its sake any more.
  shutdown.step('say that this worker leaves', () => announcer.leave());
  shutdown.step('finish or hand back tool calls', () => app.close(), graceMs + LAST_STEPS_MS / 2);
  shutdown.step('close the lanes', () => lanes.close());
  shutdown.step('close toolsets', () => app.get(AgentLoader).close());
  shutdown.step('say that this worker is gone', () => announcer.stop());
  shutdown.step('stop looking at the memory', () => memory.stop());
  shutdown.step('stop watching the loop', () => app.get(LoopWatchdog).stop());
  shutdown.step('end the threads and processes of tools', () => app.get(IsolatePools).close());
  shutdown.step('stop hearing of cancels', () => cancels.close());
  shutdown.step('stop hearing of holds', () => limiter.close());
  shutdown.step('flush telemetry', stopTelemetry);
  shutdown.step('stop asking for the time', () => desk.stop());
  shutdown.step('close NATS', () => connection.close());
  desk.start();
  memory.start();
  await app.listen();
  await announcer.start();
  return {};
}

interface QueueParts {
  readonly config: ToolWorkerConfig;
  readonly connection: MessagingConnection;
  readonly desk: Pick<ToolDesk, 'giveBack'>;
  readonly memory: MemoryPressure;
}

/** All workers of a pool share one durable consumer. */
function queueOf(pool: string, { config, connection, desk, memory }: QueueParts): NestWorkQueue {
  const queue = { ...toolQueue(pool), ackWaitMs: config.ACK_WAIT_MS, maxDeliver: CALL_DELIVERIES };
  return {
    ...queue,
    ensure: () => askForConsumer(connection, queue),
    pattern: TOOL_CALL,
    schema: toolCallMessageSchema,
    giveBack: (body, delivery) => desk.giveBack(toolCallMessageSchema.parse(body), delivery, 'unstarted'),
    concurrency: () => memory.allowed(config.TOOL_CONCURRENCY),
  };
}
