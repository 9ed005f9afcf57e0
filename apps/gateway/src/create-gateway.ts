import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { nestLogger } from '@skein/platform';
import { AppModule, type GatewayParts } from './app.module';
import { configureHttp, type HttpOptions } from './http/configure-http';
import { ExpressServer } from './http/express-server';
import { measureRequests } from './http/http-metrics';
import { OpenResponses } from './http/open-responses';
import { Ending } from './run/ending';

/** The gateway's HTTP side, ready to listen. */
export interface Gateway {
  readonly server: Server;
  /**
   * Goes on taking requests for `drainMs`, each answer the last on its connection. Then takes no more, ends the streams
   * so that their clients come back elsewhere, and waits `answerMs` for the other requests to be answered; whoever waits
   * for a run longer is told to ask again.
   */
  close(): Promise<void>;
}

export interface GatewayOptions extends HttpOptions {
  readonly drainMs: number;
  readonly answerMs: number;
}

export async function createGateway(parts: GatewayParts, options: GatewayOptions): Promise<Gateway> {
  const nestOptions: Readonly<NestApplicationOptions> = {
    bodyParser: false,
    logger: nestLogger(parts.logger),
    // A module that cannot be built is told by runService, not by an abort of the process.
    abortOnError: false,
  };
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(parts),
    new ExpressServer(),
    nestOptions,
  );
  configureHttp(app, options);
  const ending = app.get(Ending);
  const server = app.getHttpServer();
  const responses = new OpenResponses(server);
  measureRequests(server, parts.health.metrics);
  await app.init();
  return {
    server,
    close: async () => {
      responses.closeTheirConnections();
      await pause(options.drainMs);
      server.close();
      parts.streams.endAll();
      const late = setTimeout(() => ending.begin(), options.answerMs);
      await responses.closed();
      clearTimeout(late);
      // A connection on which nothing was asked yet would keep the server open until its client tires.
      server.closeAllConnections();
      await app.close();
    },
  };
}
