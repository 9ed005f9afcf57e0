import { type DynamicModule, Module } from '@nestjs/common';
import { type ObjectStore } from '@skein/artifact-store';
import { type MessagingConnection, RpcClient, ReadServer } from '@skein/messaging';
import { type Logger, type Metrics } from '@skein/platform';
import { AppendBatcher, type StorePool, SubmitBatcher } from '@skein/session-store';
import { Admission } from './calls/admission';
import { AdvisoriesConsumer, AdvisoriesParts } from './calls/advisories.consumer';
import { ArtifactRpcServer } from './artifact.rpc';
import { CallPasses } from './calls/call-passes';
import { CallRpcServer } from './calls/call.rpc';
import { CallSender } from './calls/call-sender';
import { SentCalls } from './calls/sent-calls';
import { StoredCalls } from './calls/stored-calls';
import { Cancellation } from './sessions/cancellation';
import { type SessionServiceConfig } from './config';
import { DeadLetterRpcServer } from './calls/dead-letter.rpc';
import { EndedCalls } from './calls/ended-calls';
import { EventPublisher } from './events/event-publisher';
import { FalseClaims } from './calls/false-claims';
import { ForeignWrites } from './sessions/foreign-writes';
import { HandOver } from './sessions/hand-over';
import { InvocationOwners } from './sessions/invocation-owners';
import { MemoryRpcServer } from './memory.rpc';
import { OrphanCollection } from './sweeps/orphan-collection';
import { Redrives } from './calls/redrives';
import { ProgressServer } from './calls/progress.rpc';
import { CallsAgain } from './calls/calls-again';
import { ReturnedCalls } from './calls/returned-calls';
import { ResultForwarder } from './calls/result-forwarder';
import { ResultsConsumer, ResultsParts } from './calls/results.consumer';
import { RunnerDirectory } from './sessions/runner-directory';
import { ServiceMetrics } from './service-metrics';
import { QueueRpcServer } from './workers/queue.rpc';
import { SessionHeads } from './sessions/session-heads';
import { SessionRpcServer } from './sessions/session.rpc';
import { Submits } from './sessions/submits';
import { StreamWatch } from './events/stream-watch';
import { LeftMessages } from './sweeps/left-messages';
import { planSweeps } from './sweeps/plan-sweeps';
import { Sweeper } from './sweeps/sweeper';
import { UnservedTools } from './calls/unserved-tools';
import { WorkerDirectory } from './workers/worker-directory';
import { WorkerHearing } from './workers/worker-hearing';
import { WorkerTrust } from './workers/worker-trust';

/** Of so many sweeps one looks for what is left in the queues: once a minute. */
const LEFT_LOOKS = 30;

/** What the service stands on; made and ended by start-session-service.ts. */
export interface SessionServiceParts {
  readonly config: SessionServiceConfig;
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly objects: ObjectStore;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The one place that says who is made of what. */
@Module({})
export class AppModule {
  static with(parts: SessionServiceParts): DynamicModule {
    const { config, pool, connection, objects, metrics: registry, logger } = parts;
    const leaseMs = config.LEASE_MS;
    const secret = config.SKEIN_SECRET;
    const metrics = new ServiceMetrics(registry);
    const rpc = new RpcClient(connection);
    const directory = new RunnerDirectory();
    const trust = new WorkerTrust({ metrics: registry, logger });
    const claims = new FalseClaims(trust);
    const workers = new WorkerDirectory({
      canHear: () => connection.isConnected(),
      isTrusted: (worker) => trust.isTrusted(worker),
    });
    const owners = new InvocationOwners(pool);
    const handOver = new HandOver({ pool, connection, rpc, directory, owners, metrics, leaseMs, logger });
    const publisher = new EventPublisher({
      pool,
      connection,
      metrics,
      logger,
    });
    const forwarder = new ResultForwarder(rpc, owners);
    const sent = new SentCalls(pool, logger);
    const holdsCalls = config.HOLD_CALLS;
    const admission = new Admission({ pool, connection, workers, sent, secret, holdsCalls, logger });
    const ended = new EndedCalls({ pool, forwarder, admission, metrics, logger });
    const cancellation = new Cancellation({
      ...{ pool, connection, rpc, publisher, handOver, owners, ended, logger },
    });
    const redrives = new Redrives({ pool, connection, admission, secret, logger });
    const heads = new SessionHeads(config.GUESS_CLAIMS);
    const storedCalls = new StoredCalls();
    const sender = new CallSender({ pool, connection, sent, stored: storedCalls, secret, logger });
    const batcher = new AppendBatcher(pool, {
      secret,
      leaseMs,
      publishedOf: (unit) => publisher.publishedOf(unit),
      placeOf: (unit, call) => admission.placeOf(unit, call),
      mayLeaveAhead: (unit, call) => admission.mayLeaveAhead(unit, call),
      sendAhead: (calls) => sender.ahead(calls),
      onBatch: ({ units, durationMs }) => {
        metrics.batchUnits.observe(units);
        metrics.batchSeconds.observe(durationMs / 1_000);
      },
      onFenced: () => metrics.fencedUnits.increment(),
      onObserverFailed: (error) => logger.error({ err: error }, 'what is stored could not be told'),
      onReplayed: (unit, stored) => {
        metrics.replayedUnits.increment();
        sender.replayed(unit, stored);
        publisher.replayed(unit, stored);
        if (stored.nextClaim) handOver.offerClaimed(stored.nextClaim);
      },
      prepare: (chain) => {
        const send = sender.prepare(chain);
        const publish = publisher.prepare(chain);
        return () => {
          // First: a tool is waited for, its call's event is only watched.
          send();
          publish();
          heads.stored(chain);
          if (chain.waitingCalls.length > 0) admission.stored(chain.waitingCalls);
          if (chain.units.some(({ appliedCalls, finish }) => appliedCalls.length > 0 || finish))
            admission.ended();
          // The next one takes the place of the one that ended.
          if (chain.nextClaim) handOver.offerClaimed(chain.nextClaim);
          else if (chain.units.some(({ finish }) => finish)) directory.ended(chain.units[0].runnerId);
        };
      },
    });
    const passes = new CallPasses(pool, secret);
    const returned = new ReturnedCalls({ pool, passes, workers, admission, secret, logger });
    const again = new CallsAgain({ pool, passes, admission, secret, logger });
    const reads = new ReadServer(logger);
    const sessions = new SessionRpcServer({
      reads,
      pool,
      connection,
      batcher,
      submits: new Submits({
        ...{ batcher: new SubmitBatcher(pool), directory, heads, handOver, cancellation, leaseMs },
      }),
      heads,
      directory,
      owners,
      handOver,
      foreignWrites: new ForeignWrites({ pool, rpc, publisher, heads, logger }),
      cancellation,
      leaseMs,
    });
    const streams = new StreamWatch({ pool, connection, publisher, logger });
    const sweeps = planSweeps({
      pool,
      connection,
      handOver,
      cancellation,
      forwarder,
      admission,
      ended,
      workers,
      redrives,
      publisher,
      metrics,
      streams,
      claims,
      unserved: new UnservedTools({ pool, workers, logger }),
      left: new LeftMessages({ pool, connection, everyMs: LEFT_LOOKS * config.SWEEP_MS, logger }),
      secret,
      sweepMs: config.SWEEP_MS,
      logger,
    });
    const sweeper = new Sweeper({ connection, plan: sweeps, sweepMs: config.SWEEP_MS, logger });
    const graceMs = config.ORPHAN_GRACE_MS;
    return {
      module: AppModule,
      controllers: [ResultsConsumer, AdvisoriesConsumer],
      providers: [
        { provide: RunnerDirectory, useValue: directory },
        { provide: WorkerDirectory, useValue: workers },
        { provide: WorkerHearing, useValue: new WorkerHearing({ connection, directory: workers, claims }) },
        { provide: Admission, useValue: admission },
        { provide: HandOver, useValue: handOver },
        { provide: Cancellation, useValue: cancellation },
        { provide: EventPublisher, useValue: publisher },
        { provide: CallSender, useValue: sender },
        { provide: SentCalls, useValue: sent },
        { provide: AppendBatcher, useValue: batcher },
        { provide: ReadServer, useValue: reads },
        { provide: SessionRpcServer, useValue: sessions },
        { provide: ArtifactRpcServer, useValue: new ArtifactRpcServer(pool, connection, reads) },
        { provide: MemoryRpcServer, useValue: new MemoryRpcServer(pool, connection) },
        { provide: StreamWatch, useValue: streams },
        { provide: ProgressServer, useValue: new ProgressServer({ connection, rpc, owners, passes }) },
        {
          provide: CallRpcServer,
          useValue: new CallRpcServer({
            pool,
            connection,
            passes,
            stored: storedCalls,
            workers,
            returned,
            again,
          }),
        },
        {
          provide: DeadLetterRpcServer,
          useValue: new DeadLetterRpcServer({ pool, connection, reads, redrives }),
        },
        { provide: QueueRpcServer, useValue: new QueueRpcServer(connection, config.ACK_WAIT_MS) },
        { provide: Sweeper, useValue: sweeper },
        {
          provide: OrphanCollection,
          useValue: new OrphanCollection({ pool, objects, metrics, graceMs, logger }),
        },
        {
          provide: AdvisoriesParts,
          useValue: { pool, connection, passes, ended, secret, logger },
        },
        {
          provide: ResultsParts,
          useValue: { pool, forwarder, trust, admission, passes, ended, metrics, secret, logger },
        },
      ],
    };
  }
}
