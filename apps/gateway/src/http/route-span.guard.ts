import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import type { Request } from 'express';
import { routeOf } from './route-of';

/**
 * Names the server span by its route, `POST /run_sse`: HTTP instrumentation sees only the path, with ids in it. It guards
 * nothing: an interceptor would have every answer go through a row of observables.
 */
@Injectable()
export class RouteSpanGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const span = trace.getActiveSpan();
    if (span) {
      const request = context.switchToHttp().getRequest<Request>();
      const route = routeOf(request);
      span.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
    }
    return true;
  }
}
