import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ArtifactContents, type ObjectStore, StoredArtifactService } from '@skein/artifact-store';
import { ArtifactService } from '@skein/engine';
import { readSubjects } from '@skein/contracts';
import { ReadSockets, RpcClient, type MessagingConnection } from '@skein/messaging';
import { HealthServer, type Logger } from '@skein/platform';

import { RemoteArtifactMetadata } from '@skein/session-client';
import { AgentsFolder } from './agents-folder';
import { ArtifactsController } from './artifacts/artifacts.controller';
import { ContentController } from './artifacts/content.controller';
import { ContentLimits } from './artifacts/content-limits';
import { DeadLetterApi } from './dead-letters/dead-letter-api';
import { DeadLettersController } from './dead-letters/dead-letters.controller';
import { ErrorFilter } from './http/error.filter';
import { RouteSpanGuard } from './http/route-span.guard';
import { InvocationsController } from './invocations/invocations.controller';
import { SessionEventsController } from './invocations/session-events.controller';
import { NatsDeadLetterApi } from './nats/nats-dead-letter-api';
import { NatsSessionApi } from './nats/nats-session-api';
import { NatsSessionFeed } from './nats/nats-session-feed';
import { AbandonedRuns } from './run/abandoned-runs';
import { Ending } from './run/ending';
import { StreamPorts } from './run/listen-first';
import { OpenStreams } from './run/open-streams';
import { RunController } from './run/run.controller';
import { SessionApi } from './session-api';
import { type SessionFeed } from './session-feed';
import { MemoryController } from './sessions/memory.controller';
import { SessionsController } from './sessions/sessions.controller';
import { SystemController } from './system.controller';

/** What the gateway is made of; a test fills the ports with fakes. */
export interface GatewayParts {
  readonly sessions: SessionApi;
  readonly feed: SessionFeed;
  readonly deadLetters: DeadLetterApi;
  readonly artifacts: ArtifactService;
  readonly contents: ArtifactContents;
  readonly contentLimits: ContentLimits;
  readonly agents: AgentsFolder;
  readonly streams: OpenStreams;
  readonly health: HealthServer;
  readonly logger: Logger;
}

/** NATS restarts in less; a request that comes later in an outage is refused at once. */
const PATIENCE_MS = 2_000;
/** Of artifacts: bytes that were sent are worth waiting longer, but no client waits half a minute. */
const ARTIFACT_PATIENCE_MS = 8_000;

/** The ports as a service fills them; reads of an outage go over sockets in `dataDir`. */
export function natsPorts(
  connection: MessagingConnection,
  objects: ObjectStore,
  dataDir: string,
): Pick<GatewayParts, 'sessions' | 'feed' | 'deadLetters' | 'artifacts' | 'contents'> {
  const reads = new ReadSockets(dataDir, readSubjects);
  const rpc = new RpcClient(connection, { patienceMs: PATIENCE_MS, reads });
  const metadata = new RemoteArtifactMetadata(rpc, { patienceMs: ARTIFACT_PATIENCE_MS });
  const feed = new NatsSessionFeed(connection);
  return {
    sessions: new NatsSessionApi(rpc, feed),
    feed,
    deadLetters: new NatsDeadLetterApi(rpc),
    artifacts: new StoredArtifactService(objects, metadata),
    contents: new ArtifactContents(objects, metadata),
  };
}

@Module({})
export class AppModule {
  static with(parts: GatewayParts): DynamicModule {
    const { sessions, feed, artifacts, contents, contentLimits, agents, streams, health, logger } = parts;
    return {
      module: AppModule,
      controllers: [
        // First, for paths are compared in this order, and most requests are turns.
        RunController,
        SystemController,
        SessionsController,
        MemoryController,
        // Its path ends so; the other's is any path below the artifacts.
        ContentController,
        ArtifactsController,
        InvocationsController,
        SessionEventsController,
        DeadLettersController,
      ],
      providers: [
        Ending,
        { provide: StreamPorts, useValue: { api: sessions, feed } },
        { provide: AbandonedRuns, useValue: new AbandonedRuns(sessions, logger) },
        { provide: OpenStreams, useValue: streams },
        { provide: SessionApi, useValue: sessions },
        { provide: DeadLetterApi, useValue: parts.deadLetters },
        { provide: ArtifactService, useValue: artifacts },
        { provide: ArtifactContents, useValue: contents },
        { provide: ContentLimits, useValue: contentLimits },
        { provide: AgentsFolder, useValue: agents },
        { provide: HealthServer, useValue: health },
        { provide: APP_FILTER, useValue: new ErrorFilter(logger) },
        { provide: APP_GUARD, useClass: RouteSpanGuard },
      ],
    };
  }
}
