import { type DynamicModule, Module } from '@nestjs/common';
import { AgentLoader } from '@skein/agent-loader';
import { type ObjectStore } from '@skein/artifact-store';
import { FleetRateLimiter } from '@skein/fleet-limiter';
import { type MessagingConnection, RpcClient } from '@skein/messaging';
import { type Logger, type Metrics, providerEnvironment } from '@skein/platform';
import { AnnouncedTools } from './announcing/announced-tools';
import { callServices } from './calls/call-services';
import { CancelledCalls } from './calls/cancelled-calls';
import { type ToolWorkerConfig } from './config';
import { IsolatePools } from './isolation/isolate-pools';
import { LoadedToolCatalog } from './catalog/loaded-tool-catalog';
import { type MemoryPressure } from './memory-pressure';
import { RunningCalls } from './calls/running-calls';
import { ToolCallConsumer } from './calls/tool-call.consumer';
import { ToolCatalog } from './catalog/tool-catalog';
import { ToolDesk } from './calls/tool-desk';
import { ToolMetrics } from './tool-metrics';
import { ToolPublisher } from './calls/tool-publisher';
import { WorkerAnnouncer } from './announcing/worker-announcer';
import { LoopWatchdog } from './watchdog/loop-watchdog';
import { WorkerSettings } from './worker-settings';

export interface ToolWorkerParts {
  readonly worker: string;
  readonly config: ToolWorkerConfig;
  readonly connection: MessagingConnection;
  readonly desk: ToolDesk;
  readonly memory: MemoryPressure;
  readonly objects: ObjectStore;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The one place that says which adapter fills which port. */
@Module({})
export class AppModule {
  static with({
    worker,
    config,
    connection,
    desk,
    memory,
    objects,
    metrics,
    logger,
  }: ToolWorkerParts): DynamicModule {
    const {
      AGENTS_DIR: agentsDir,
      ADK_COMPAT: adkCompat,
      AGENTS_CACHE_DIR: cacheDir,
      TOOL_RESULT_LIMIT_BYTES: resultLimitBytes,
    } = config;
    const limiter = new FleetRateLimiter({ connection, metrics });
    const agents = new AgentLoader({
      agentsDir,
      adkCompat,
      cacheDir,
      environment: providerEnvironment(),
      limiter,
    });
    const isolates = new IsolatePools({
      settings: { agentsDir, adkCompat, cacheDir, environment: providerEnvironment(), resultLimitBytes },
      isolation: config.TOOL_ISOLATION,
      size: config.TOOL_CONCURRENCY * config.TOOL_POOLS.length,
      logger,
    });
    const watchdog = new LoopWatchdog({
      ackWaitMs: config.ACK_WAIT_MS,
      service: config.SKEIN_PROCESS_NAME ?? 'tool-worker',
      format: config.LOG_FORMAT,
      logger,
    });
    const rpc = new RpcClient(connection);
    const running = new RunningCalls();
    const settings: WorkerSettings = {
      worker,
      logger,
      metrics: new ToolMetrics(metrics),
      running,
      resultLimitBytes,
    };
    const announcer = new WorkerAnnouncer({
      worker,
      pools: config.TOOL_POOLS,
      concurrency: () => memory.allowed(config.TOOL_CONCURRENCY),
      tools: new AnnouncedTools(agents),
      running,
      connection,
    });
    return {
      module: AppModule,
      controllers: [ToolCallConsumer],
      providers: [
        { provide: AgentLoader, useValue: agents },
        { provide: FleetRateLimiter, useValue: limiter },
        {
          provide: ToolCatalog,
          useValue: new LoadedToolCatalog(agents, callServices(rpc, objects), isolates, watchdog),
        },
        { provide: IsolatePools, useValue: isolates },
        { provide: LoopWatchdog, useValue: watchdog },
        { provide: ToolDesk, useValue: desk },
        { provide: ToolPublisher, useValue: new ToolPublisher(connection, desk) },
        CancelledCalls,
        { provide: WorkerAnnouncer, useValue: announcer },
        { provide: WorkerSettings, useValue: settings },
      ],
    };
  }
}
