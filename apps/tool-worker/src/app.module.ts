import { type DynamicModule, Module } from '@nestjs/common';
import { AgentLoader } from '@skein/agent-loader';
import { type ObjectStore, StoredArtifactService } from '@skein/artifact-store';
import { FleetRateLimiter } from '@skein/fleet-limiter';
import { type MessagingConnection, RpcClient } from '@skein/messaging';
import { type Logger, type Metrics, providerEnvironment } from '@skein/platform';
import { RemoteArtifactMetadata, RemoteMemoryService } from '@skein/session-client';
import { CancelledCalls } from './cancelled-calls';
import { type ToolWorkerConfig } from './config';
import { LoadedToolCatalog } from './loaded-tool-catalog';
import { ToolCallConsumer } from './tool-call.consumer';
import { ToolCatalog } from './tool-catalog';
import { ToolDesk } from './tool-desk';
import { ToolMetrics } from './tool-metrics';
import { ToolPublisher } from './tool-publisher';
import { WorkerSettings } from './worker-settings';

export interface ToolWorkerParts {
  readonly worker: string;
  readonly config: ToolWorkerConfig;
  readonly connection: MessagingConnection;
  readonly objects: ObjectStore;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const RETURN_DELAY_MS = 1_000;
const MAX_RETURNS = 10;

/** The one place that says which adapter fills which port. */
@Module({})
export class AppModule {
  static with({ worker, config, connection, objects, metrics, logger }: ToolWorkerParts): DynamicModule {
    const limiter = new FleetRateLimiter({ connection, metrics });
    const agents = new AgentLoader({
      agentsDir: config.AGENTS_DIR,
      adkCompat: config.ADK_COMPAT,
      environment: providerEnvironment(),
      limiter,
    });
    const rpc = new RpcClient(connection);
    const artifacts = new StoredArtifactService(objects, new RemoteArtifactMetadata(rpc));
    const memory = new RemoteMemoryService(rpc);
    const desk = new ToolDesk(rpc, logger);
    const settings: WorkerSettings = {
      worker,
      logger,
      metrics: new ToolMetrics(metrics),
      resultLimitBytes: config.TOOL_RESULT_LIMIT_BYTES,
      returnDelayMs: RETURN_DELAY_MS,
      maxReturns: MAX_RETURNS,
    };
    return {
      module: AppModule,
      controllers: [ToolCallConsumer],
      providers: [
        { provide: AgentLoader, useValue: agents },
        { provide: FleetRateLimiter, useValue: limiter },
        { provide: ToolCatalog, useValue: new LoadedToolCatalog(agents, artifacts, memory) },
        { provide: ToolDesk, useValue: desk },
        { provide: ToolPublisher, useValue: new ToolPublisher(connection, desk) },
        CancelledCalls,
        { provide: WorkerSettings, useValue: settings },
      ],
    };
  }
}
