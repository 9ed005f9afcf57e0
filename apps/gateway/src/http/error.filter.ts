import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { AdkError, errorOutcomes } from '@skein/contracts';
import { LineLimit, type Logger, type WorkIds } from '@skein/platform';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { routeOf } from './route-of';
import { workOfRequest } from './work-of-request';

/** Codes of HTTP's own trouble, whose status says more than that of their kind. */
const statusByCode: Readonly<Record<string, number>> = {
  'request.malformed': 400,
  'request.too-large': 413,
  'request.media-type': 415,
  'request.timeout': 408,
  'artifact.too-large': 413,
  'artifact.range': 416,
  'stream.unknown-id': 400,
  'run.resume-without-key': 400,
};

/** A run that failed: its error event is stored and its runner told of it, so the gateway has nothing to be mended. */
const RUN_FAILED = 'run.failed';

const DEFAULT_RETRY_AFTER_MS = 1000;

/** Answers every failure in the one shape `{detail, error, code, issues?, lastSeq?}`: each of ADK's clients reads one of the two. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #mistakes = new LineLimit();

  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = asAdkError(thrown);
    const status = statusByCode[error.code] ?? errorOutcomes[error.kind].httpStatus;
    const route = routeOf(request);
    this.#log(error, { ...workOfRequest(response), method: request.method, route, status });
    // Nothing can be said in a stream that has begun; cutting it tells the client that it is not whole.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.kind === 'unavailable' || error.kind === 'deadline') {
      response.setHeader('Retry-After', Math.ceil((error.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS) / 1000));
    }
    // The rest of a body that was refused half-read would be taken for the next request.
    if (!request.complete) response.setHeader('Connection', 'close');
    response.status(status).json({
      detail: error.message,
      error: error.message,
      code: error.code,
      ...shownDetailsOf(error),
    });
  }

  #log(
    error: AdkError,
    fields: WorkIds & Readonly<Record<'method' | 'route', string>> & { readonly status: number },
  ): void {
    const level = error.code === RUN_FAILED ? 'info' : errorOutcomes[error.kind].log;
    // Whoever sends wrong requests without end would hide all else from the operator.
    const isMistake = fields.status < 500;
    const said = isMistake ? this.#mistakes.take(`${fields.route} ${error.code}`) : {};
    if (said === undefined) return;
    // A client's mistake is told by its code; its text may hold what the client sent.
    this.logger[level](
      { ...fields, code: error.code, ...said, ...(level === 'error' ? { err: error } : {}) },
      'request failed',
    );
  }
}

function asAdkError(thrown: unknown): AdkError {
  if (!(thrown instanceof HttpException)) return AdkError.from(thrown);
  // Nest's own: a path that no route has, or one that cannot be decoded ("%zz").
  return thrown.getStatus() === 404
    ? new AdkError('not_found', 'route.unknown', 'Not Found', { cause: thrown })
    : new AdkError('invalid', 'request.malformed', 'The request could not be read', { cause: thrown });
}

const issuesSchema = z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) });

/** Where a session is by now, for a client that was too late. */
const headSchema = z.object({ lastSeq: z.number() });

/** Of the details only what a client is meant to read. */
function shownDetailsOf({ details }: AdkError): { issues?: unknown; lastSeq?: number } {
  return { ...issuesSchema.safeParse(details).data, ...headSchema.safeParse(details).data };
}
