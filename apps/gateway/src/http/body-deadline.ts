import type { Request, Response } from 'express';

const SENTENCE = 'The body did not come in time';

/**
 * How long a request may take to come in. Node's own bound is one for all requests, those with patience of their own too,
 * and knows no error's shape.
 */
export function limitBodyTime(request: Request, response: Response, limitMs: number): void {
  const timer = setTimeout(() => {
    if (request.complete || response.headersSent) return;
    response.setHeader('Connection', 'close');
    response.status(408).json({ detail: SENTENCE, error: SENTENCE, code: 'request.timeout' });
  }, limitMs);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
}
