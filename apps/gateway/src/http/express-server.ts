import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Express makes requests and responses its own by giving each another prototype, and whatever touches such an object then, Node's
 * HTTP too, looks up its properties the slow way: two thirds of what a request costs. Here they are made with the
 * prototypes that Express would give them, so it changes nothing (ADR 20).
 */
export class ExpressServer extends ExpressAdapter {
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    class OwnRequest extends IncomingMessage {}
    class OwnResponse extends ServerResponse {}
    Object.setPrototypeOf(OwnRequest.prototype, app.request);
    Object.setPrototypeOf(OwnResponse.prototype, app.response);
    Object.assign(app, { request: OwnRequest.prototype, response: OwnResponse.prototype });
    this.setHttpServer(createServer({ IncomingMessage: OwnRequest, ServerResponse: OwnResponse }, app));
  }
}
