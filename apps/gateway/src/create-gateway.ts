import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { nestLogger } from '@skein/platform';
import { AppModule, type GatewayParts } from './app.module';
import { configureHttp, type HttpOptions } from './http/configure-http';
import { OpenStreams } from './run/open-streams';

/** The gateway's HTTP side, ready to listen. */
export interface Gateway {
  readonly server: Server;
  /** Takes no more requests, ends the streams, and waits for the other requests to be answered. */
  close(): Promise<void>;
}

export async function createGateway(parts: GatewayParts, options: HttpOptions): Promise<Gateway> {
  const nestOptions: Readonly<NestApplicationOptions> = {
    bodyParser: false,
    logger: nestLogger(parts.logger),
    // A module that cannot be built is told by runService, not by an abort of the process.
    abortOnError: false,
  };
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(parts), nestOptions);
  configureHttp(app, options);
  await app.init();
  const streams = app.get(OpenStreams);
  const server = app.getHttpServer();
  const unanswered = trackResponses(server);
  return {
    server,
    close: async () => {
      server.close();
      streams.endAll();
      for (const response of unanswered) await once(response, 'close');
      // A connection on which nothing was asked yet would keep the server open until its client tires.
      server.closeAllConnections();
      await app.close();
    },
  };
}

/** The responses that are not finished; a loop over them also meets those that come while it waits. */
function trackResponses(server: Server): ReadonlySet<ServerResponse> {
  const open = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });
  return open;
}
