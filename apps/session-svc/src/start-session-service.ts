import { NestFactory } from '@nestjs/core';
import { canUse, openObjectStore } from '@skein/artifact-store';
import {
  advisoriesQueue,
  advisorySchema,
  runnerAnnouncementSchema,
  streams,
  subjects,
  toolResultMessageSchema,
} from '@skein/contracts';
import {
  connectService,
  JetStreamServer,
  LaneServer,
  type MessagingConnection,
  subscribeCore,
  ReadServer,
} from '@skein/messaging';
import { type Logger, nestLogger, retryAtStart, type ServiceStart, stopTelemetry } from '@skein/platform';
import { AppendBatcher, mayPass, openStore, type Store } from '@skein/session-store';
import { Admission } from './calls/admission';
import { AppModule } from './app.module';
import { ADVISORIES_PATTERN } from './calls/advisories.consumer';
import { ArtifactRpcServer } from './artifact.rpc';
import { CallRpcServer } from './calls/call.rpc';
import { CallSender } from './calls/call-sender';
import { SentCalls } from './calls/sent-calls';
import { Cancellation } from './sessions/cancellation';
import { type SessionServiceConfig } from './config';
import { DeadLetterRpcServer } from './calls/dead-letter.rpc';
import { EventPublisher } from './events/event-publisher';
import { firstLook } from './events/first-look';
import { HandOver } from './sessions/hand-over';
import { MemoryRpcServer } from './memory.rpc';
import { OrphanCollection } from './sweeps/orphan-collection';
import { QueueRpcServer } from './workers/queue.rpc';
import { salvageResult } from './calls/refused-results';
import { RESULTS_PATTERN } from './calls/results.consumer';
import { RunnerDirectory } from './sessions/runner-directory';
import { ProgressServer } from './calls/progress.rpc';
import { SessionRpcServer } from './sessions/session.rpc';
import { StreamWatch } from './events/stream-watch';
import { Sweeper } from './sweeps/sweeper';
import { measureBacklog } from './work-metrics';
import { WorkerDirectory } from './workers/worker-directory';
import { WorkerHearing } from './workers/worker-hearing';

/** One for /ready, one for what /metrics reads. */
const PROBES = 2;
const RESULTS_AT_ONCE = 1_024;
/** A result is tried for as long as its call may be open; the deadline of the call ends it, not a count. */
const RESULT_DELIVERIES = 1_000;
const ADVISORIES_AT_ONCE = 16;
/** What it tells of ends by its deadline all the same. */
const ADVISORY_DELIVERIES = 100;

export async function startSessionService(
  start: ServiceStart<SessionServiceConfig>,
): Promise<Record<string, never>> {
  const { config, logger, health, shutdown } = start;
  const store = await openWithPatience(config.DATABASE_URL, 'session-svc', 10, logger);
  // A connection of its own: with the pool exhausted by load the process is slow, not ill.
  const probe = await openWithPatience(config.DATABASE_URL, 'session-svc health', PROBES, logger);
  const connection = await connectService({
    name: config.SKEIN_PROCESS_NAME ?? 'session-svc',
    config,
    logger,
    health,
    provisions: true,
  });
  health.check('postgres', () => probe.ping());

  const objects = await openObjectStore(config, logger);
  health.checkOptional('objects', () => canUse(objects));
  const parts = { config, pool: store.pool, connection, objects, metrics: health.metrics, logger };
  const app = await NestFactory.createMicroservice(AppModule.with(parts), {
    strategy: resultsServer(connection, config.ACK_WAIT_MS),
    logger: nestLogger(logger),
    // A module that cannot be built is told by runService, not by an abort of the process.
    abortOnError: false,
  });
  const reads = app.get(ReadServer);
  const servers = [
    app.get(SessionRpcServer),
    app.get(ArtifactRpcServer),
    app.get(MemoryRpcServer),
    app.get(CallRpcServer),
    app.get(DeadLetterRpcServer),
    app.get(ProgressServer),
    app.get(QueueRpcServer),
  ];
  const [batcher, handOver] = [app.get(AppendBatcher), app.get(HandOver)];
  const [publisher, sweeper, directory] = [
    app.get(EventPublisher),
    app.get(Sweeper),
    app.get(RunnerDirectory),
  ];

  measureBacklog(health.metrics, {
    ...{ store, probe, connection },
    workers: app.get(WorkerDirectory),
    unpublished: () => publisher.unpublished,
  });
  const announcements = subscribeCore(
    connection,
    subjects.runnerAnnouncement,
    runnerAnnouncementSchema,
    (message) => directory.announced(message),
  );
  const workers = app.get(WorkerHearing);
  workers.start();
  const admission = app.get(Admission);
  admission.start();
  // Before anything is sent: what goes into a new stream from here on is not taken for lost with the old one.
  await firstLook(app.get(StreamWatch), { where: config.NATS_URL, logger });
  publisher.start();
  const sender = app.get(CallSender);
  const sent = app.get(SentCalls);
  sent.start();
  for (const server of servers) server.start();
  await reads.listen(config.DATA_DIR);
  const lanes = new LaneServer(connection.lanes, logger);
  if (config.LANES) await lanes.listen(config.DATA_DIR, ['gateway', 'runner', 'tool-worker']);
  await app.listen();
  sweeper.start();
  app.get(OrphanCollection).start();
  await connection.flush();

  shutdown.step(
    'stop answering requests',
    () => Promise.all([...servers.map((server) => server.stop()), reads.close(), lanes.stopListening()]),
    10_000,
  );
  shutdown.step('stop taking results', () => app.close(), 5_000);
  shutdown.step('stop sweeping', () => Promise.all([sweeper.stop(), app.get(OrphanCollection).stop()]));
  shutdown.step('stop admitting calls', () => admission.stop());
  shutdown.step('stop ending what is cancelled', () => app.get(Cancellation).stop());
  shutdown.step('store what is left', () => batcher.idle());
  shutdown.step('send what is left', () => sender.settled());
  shutdown.step('note what is sent', () => sent.stop());
  shutdown.step('hand over what is left', () => handOver.settled());
  shutdown.step('publish what is left', () => publisher.stop());
  shutdown.step('close the lanes', () => lanes.close());
  shutdown.step('stop hearing of runners and workers', () =>
    Promise.all([announcements.close(), workers.stop()]),
  );
  shutdown.step('flush telemetry', stopTelemetry);
  shutdown.step('close NATS', () => connection.close());
  shutdown.step('close PostgreSQL', () => Promise.all([store.close(), probe.close()]));
  return {};
}

function openWithPatience(
  databaseUrl: string,
  applicationName: string,
  poolSize: number,
  logger: Logger,
): Promise<Store> {
  return retryAtStart({
    what: 'PostgreSQL',
    where: databaseUrl,
    logger,
    attempt: () => openStore({ databaseUrl, applicationName, poolSize }),
    isRetryable: mayPass,
  });
}

function resultsServer(connection: MessagingConnection, ackWaitMs: number): JetStreamServer {
  return new JetStreamServer({
    connection,
    graceMs: 4_000,
    queues: [
      {
        pattern: RESULTS_PATTERN,
        stream: 'RESULTS',
        durable: 'session-svc',
        filterSubject: streams.RESULTS[0],
        ackWaitMs,
        maxDeliver: RESULT_DELIVERIES,
        concurrency: RESULTS_AT_ONCE,
        schema: toolResultMessageSchema,
        salvage: (refused: unknown) => salvageResult(refused, connection.logger),
      },
      {
        ...advisoriesQueue,
        pattern: ADVISORIES_PATTERN,
        ackWaitMs,
        maxDeliver: ADVISORY_DELIVERIES,
        concurrency: ADVISORIES_AT_ONCE,
        schema: advisorySchema,
      },
    ],
  });
}
