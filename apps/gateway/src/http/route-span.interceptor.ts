import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { routeOf } from './route-of';

/** Names the server span by its route, `POST /run_sse`: HTTP instrumentation sees only the path, with ids in it. */
@Injectable()
export class RouteSpanInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const route = routeOf(request);
    trace.getActiveSpan()?.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
    return next.handle();
  }
}
