import { type DynamicModule, Module } from '@nestjs/common';
import { AgentLoader } from '@skein/agent-loader';
import { handoverPatienceMs } from '@skein/contracts';
import { FleetRateLimiter } from '@skein/fleet-limiter';
import { type ObjectStore, StoredArtifactService } from '@skein/artifact-store';
import { type MessagingConnection, RpcClient } from '@skein/messaging';
import { type Logger, type Metrics, providerEnvironment } from '@skein/platform';
import { RemoteArtifactMetadata, RemoteMemoryService, SessionRpc } from '@skein/session-client';
import { type RunnerConfig } from './config';
import { RunPointerConsumer } from './inbound/run-pointer.consumer';
import { TakenResults } from './inbound/taken-results';
import { WorkConsumer } from './inbound/work.consumer';
import { Absence } from './lease/absence';
import { Announcer } from './lease/announcer';
import { LeaseKeeper } from './lease/lease-keeper';
import { type ActiveRun } from './run/active-run';
import { ActiveRuns } from './run/active-runs';
import { runHandover } from './run/run-handover';
import { SessionCache } from './run/session-cache';

export interface RunnerParts {
  readonly runnerId: string;
  readonly config: RunnerConfig;
  readonly connection: MessagingConnection;
  readonly objects: ObjectStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Well within the patience of whoever handed over, so that what comes close to it is seen. */
const ABSENCES_PER_PATIENCE = 3;

/** The one place that says which adapter fills which port of the engine. */
@Module({})
export class AppModule {
  static with({ runnerId, config, connection, objects, logger, metrics }: RunnerParts): DynamicModule {
    const limiter = new FleetRateLimiter({ connection, metrics });
    const rpcClient = new RpcClient(connection);
    const rpc = new SessionRpc(rpcClient);
    const agents = new AgentLoader({
      agentsDir: config.AGENTS_DIR,
      adkCompat: config.ADK_COMPAT,
      cacheDir: config.AGENTS_CACHE_DIR,
      environment: providerEnvironment(),
      limiter,
    });
    const runs = new ActiveRuns(config.RUNNER_CONCURRENCY);
    const leases = new LeaseKeeper({ runnerId, leaseMs: config.LEASE_MS, runs, rpc, logger });
    const taken = new TakenResults(runs, leases);
    const undeclared = metrics.counter(
      'skein_tool_undeclared_total',
      'Results of tools with something that the tool had not declared, which was dropped, by tool.',
      ['tool'],
    );
    const cache = new SessionCache(config.SESSION_CACHE_BYTES);
    const ports = {
      runnerId,
      rpc,
      connection,
      logger,
      agents,
      artifacts: new StoredArtifactService(objects, new RemoteArtifactMetadata(rpcClient)),
      memory: new RemoteMemoryService(rpcClient),
      cache,
      onUndeclared: (tool: string) => undeclared.increment({ tool }),
    };
    const patienceMs = handoverPatienceMs(config.LEASE_MS);
    const absence = new Absence(patienceMs / ABSENCES_PER_PATIENCE, patienceMs);
    const work = (run: ActiveRun): Promise<void> => runHandover(run, ports);
    return {
      module: AppModule,
      providers: [
        { provide: AgentLoader, useValue: agents },
        { provide: FleetRateLimiter, useValue: limiter },
        { provide: ActiveRuns, useValue: runs },
        { provide: SessionRpc, useValue: rpc },
        { provide: Absence, useValue: absence },
        {
          provide: WorkConsumer,
          useValue: new WorkConsumer({ runnerId, runs, taken, rpc, leases, absence, cache, work }),
        },
        { provide: TakenResults, useValue: taken },
        { provide: RunPointerConsumer, useValue: new RunPointerConsumer(runnerId, runs, rpc, work) },
        { provide: Announcer, useValue: new Announcer(runnerId, runs, connection) },
        { provide: LeaseKeeper, useValue: leases },
      ],
    };
  }
}
