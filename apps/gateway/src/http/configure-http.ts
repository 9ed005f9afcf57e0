import type { NestExpressApplication } from '@nestjs/platform-express';
import { AdkError } from '@skein/contracts';
import type { RequestHandler } from 'express';
import { type BodyLimits, jsonBody } from './json-body';
import { isLoopback, originGuard } from './origin-guard';

export interface HttpOptions extends BodyLimits {
  /** The address listened on. */
  readonly host: string;
  /** Names a request may be for; by `host` when left out. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** What every request passes before its controller. The application must be created with `bodyParser: false`. */
export function configureHttp(app: NestExpressApplication, options: HttpOptions): void {
  const { host, allowedHosts } = options;
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  // Before the body is read: a refused page does not get to fill memory.
  app.use(originGuard(host, allowedHosts));
  if (!isLoopback(host)) app.use('/metrics', refuseFigures);
  app.use(jsonBody(options));
  const server = app.getHttpServer();
  // How long a request may take to come in is bounded, never its answer, so a stream may stay open for hours. A body is
  // bounded above, and by the route of uploads.
  server.headersTimeout = 15_000;
  server.requestTimeout = 0;
  server.timeout = 0;
  // Above the minute of most load balancers: who closes first must be them, or they send requests into a closing connection.
  server.keepAliveTimeout = 75_000;
}

/** They name tools and models and tell how much is done; who may see them reaches HEALTH_PORT. */
const refuseFigures: RequestHandler = (_request, _response, next) =>
  next(new AdkError('denied', 'metrics.private', 'Figures are served on HEALTH_PORT alone'));
