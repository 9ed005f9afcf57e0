import { AdkError } from '@skein/contracts';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { isContentUpload } from '../artifacts/is-content-upload';
import { assertBounded, scanJson } from './scan-json';

/**
 * Reads every request's body as JSON, but for uploads, into `request.body`; no body at all is `undefined`. The limit counts bytes as they
 * come in, and compressed bodies are refused, so neither a lying Content-Length nor a zip bomb gets past it.
 */
export function useJsonBody(app: NestExpressApplication, limitBytes: number): void {
  app.useBodyParser('raw', {
    type: (request) => !isContentUpload(request),
    limit: limitBytes,
    inflate: false,
  });
  const explainFailure: ErrorRequestHandler = (error, _request, _response, next) =>
    next(asBodyError(error, limitBytes));
  app.use(explainFailure);
  app.use(parseBody);
}

const parseBody: RequestHandler = (request, _response, next) => {
  const bytes: unknown = request.body;
  request.body = bytes instanceof Buffer && bytes.length > 0 ? parseJson(bytes, request) : undefined;
  next();
};

function parseJson(bytes: Buffer, request: Request): unknown {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;\s*charset="?utf-?8"?\s*)?;?$/i.test(contentType)) {
    throw new AdkError(
      'invalid',
      'request.media-type',
      'The body must be sent as Content-Type: application/json',
    );
  }
  let text: string;
  let value: unknown;
  try {
    // ignoreBOM keeps a byte order mark in the text, where JSON.parse refuses it.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    assertBounded(text);
    value = JSON.parse(text);
  } catch (cause) {
    if (AdkError.isInstance(cause)) throw cause;
    throw new AdkError('invalid', 'request.malformed', 'The body is not valid JSON in UTF-8', { cause });
  }
  scanJson(text);
  return value;
}

function asBodyError(error: unknown, limitBytes: number): AdkError {
  if (AdkError.isInstance(error)) return error;
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) {
    return new AdkError('invalid', 'request.too-large', `The body is larger than ${limitBytes} bytes`, {
      cause: error,
    });
  }
  if (status === 415) {
    const sentence = 'Compressed bodies are not accepted';
    return new AdkError('invalid', 'request.media-type', sentence, { cause: error });
  }
  if (status === 400) {
    return new AdkError('invalid', 'request.malformed', 'The body broke off before its end', {
      cause: error,
    });
  }
  return AdkError.from(error);
}
