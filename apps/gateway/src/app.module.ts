import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { RpcClient, type MessagingConnection } from '@skein/messaging';
import { HealthServer, type Logger } from '@skein/platform';
import { AgentsFolder } from './agents-folder';
import { ErrorFilter } from './http/error.filter';
import { RouteSpanInterceptor } from './http/route-span.interceptor';
import { NatsSessionApi } from './nats/nats-session-api';
import { NatsSessionFeed } from './nats/nats-session-feed';
import { OpenStreams } from './run/open-streams';
import { RunController } from './run/run.controller';
import { SessionApi } from './session-api';
import { SessionFeed } from './session-feed';
import { SessionsController } from './sessions/sessions.controller';
import { SystemController } from './system.controller';

/** What the gateway is made of; a test fills the two ports with fakes. */
export interface GatewayParts {
  readonly sessions: SessionApi;
  readonly feed: SessionFeed;
  readonly agents: AgentsFolder;
  readonly health: HealthServer;
  readonly logger: Logger;
}

/** The ports as a service fills them. */
export function natsPorts(connection: MessagingConnection): Pick<GatewayParts, 'sessions' | 'feed'> {
  return {
    sessions: new NatsSessionApi(new RpcClient(connection)),
    feed: new NatsSessionFeed(connection),
  };
}

@Module({})
export class AppModule {
  static with({ sessions, feed, agents, health, logger }: GatewayParts): DynamicModule {
    return {
      module: AppModule,
      controllers: [SystemController, SessionsController, RunController],
      providers: [
        OpenStreams,
        { provide: SessionApi, useValue: sessions },
        { provide: SessionFeed, useValue: feed },
        { provide: AgentsFolder, useValue: agents },
        { provide: HealthServer, useValue: health },
        { provide: APP_FILTER, useValue: new ErrorFilter(logger) },
        { provide: APP_INTERCEPTOR, useClass: RouteSpanInterceptor },
      ],
    };
  }
}
