import { AdkError } from '@skein/contracts';
import type { Request, RequestHandler } from 'express';
import { isContentUpload } from '../artifacts/is-content-upload';
import { limitBodyTime } from './body-deadline';
import { readBody } from './read-body';
import { readJson } from './read-json';

export interface BodyLimits {
  readonly bodyLimitBytes: number;
  /** How long a body of JSON may take to come in. */
  readonly bodyMs: number;
}

/** Reads every request's body as JSON, but for uploads, into `request.body`; no body at all is `undefined`. */
export function jsonBody({ bodyLimitBytes, bodyMs }: BodyLimits): RequestHandler {
  return (request, response, next) => {
    if (isContentUpload(request)) {
      next();
      return;
    }
    limitBodyTime(request, response, bodyMs);
    readBody(request, bodyLimitBytes, (refusal, bytes) => {
      next(refusal ?? parseInto(request, bytes));
    });
  };
}

/** Answers why it cannot be. */
function parseInto(request: Request, bytes: Buffer): unknown {
  try {
    request.body = bytes.length > 0 ? parseJson(bytes, request) : undefined;
    return undefined;
  } catch (error) {
    return error;
  }
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;\s*charset="?utf-?8"?\s*)?;?$/i;
/** ignoreBOM keeps a byte order mark in the text, where JSON.parse refuses it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseJson(bytes: Buffer, request: Request): unknown {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new AdkError(
      'invalid',
      'request.media-type',
      'The body must be sent as Content-Type: application/json',
    );
  }
  try {
    return readJson(utf8.decode(bytes));
  } catch (cause) {
    if (AdkError.isInstance(cause)) throw cause;
    throw new AdkError('invalid', 'request.malformed', 'The body is not valid JSON in UTF-8', { cause });
  }
}
