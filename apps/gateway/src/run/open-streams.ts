import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { SseStream } from './sse-stream';

const RETRY_MS = 1000;

/** The event streams that are open now, so that a shutdown can end them: their runs go on, their clients come back. */
@Injectable()
export class OpenStreams {
  readonly #open = new Set<SseStream>();

  get count(): number {
    return this.#open.size;
  }

  /** Opens the response as a stream for as long as `show` takes, and ends it then. */
  async during(
    response: Response,
    signal: AbortSignal,
    show: (stream: SseStream) => Promise<void>,
  ): Promise<void> {
    const stream = new SseStream(response, signal);
    this.#open.add(stream);
    try {
      await show(stream);
    } finally {
      // Not on `close`: of a client that left while its input was stored, that was told before the stream was here.
      this.#open.delete(stream);
      stream.end();
    }
  }

  endAll(): void {
    for (const stream of this.#open) stream.end(RETRY_MS);
  }
}
