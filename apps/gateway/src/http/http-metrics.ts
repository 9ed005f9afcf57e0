import type { Server, ServerResponse } from 'node:http';
import { type Metrics } from '@skein/platform';
import type { Request } from 'express';
import { routeOf } from './route-of';

/** What a proxy writes for a client that left before its answer was whole. */
const CLIENT_LEFT = 499;

/** Counts requests by the route that took them: a path has ids in it. An event stream counts when it ends. */
export function measureRequests(server: Server, metrics: Metrics): void {
  const duration = metrics.histogram(
    'skein_http_request_duration_seconds',
    'From a request until its answer is sent, by method, route (none for a path that no route has) and status (499 for a client that left).',
    ['method', 'route', 'status'],
  );
  // Express works on the very objects of Node's server.
  server.prependListener('request', (request: Request, response: ServerResponse) => {
    const startedAtMs = performance.now();
    response.once('close', () => {
      const labels = {
        method: request.method,
        route: routeOf(request),
        status: response.writableFinished ? response.statusCode : CLIENT_LEFT,
      };
      duration.observe((performance.now() - startedAtMs) / 1_000, labels);
    });
  });
}
