import type { RequestHandler } from 'express';
import { isContentUpload } from '../artifacts/is-content-upload';

const SENTENCE = 'The body did not come in time';

/**
 * How long a request may take to come in, but for uploads, which have a patience of their own. Node's own bound is one for
 * all requests, and knows no error's shape.
 */
export function bodyDeadline(limitMs: number): RequestHandler {
  return (request, response, next) => {
    if (!isContentUpload(request)) {
      const timer = setTimeout(() => {
        if (request.complete || response.headersSent) return;
        response.setHeader('Connection', 'close');
        response.status(408).json({ detail: SENTENCE, error: SENTENCE, code: 'request.timeout' });
      }, limitMs);
      timer.unref();
      response.once('close', () => clearTimeout(timer));
    }
    next();
  };
}
