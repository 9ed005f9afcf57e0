import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { SseStream } from './sse-stream';

const RETRY_MS = 1000;

/** The event streams that are open now, so that a shutdown can end them: their runs go on, their clients come back. */
@Injectable()
export class OpenStreams {
  readonly #open = new Set<SseStream>();

  open(response: Response, signal: AbortSignal): SseStream {
    const stream = new SseStream(response, signal);
    this.#open.add(stream);
    response.once('close', () => this.#open.delete(stream));
    return stream;
  }

  endAll(): void {
    for (const stream of this.#open) stream.end(RETRY_MS);
  }
}
