import type { Response } from 'express';
import type { LeaveSignal } from './leave-signal';
import { type SseOptions, SseStream } from './sse-stream';

/** The event streams that are open now, so that a shutdown can end them: their runs go on, their clients come back. */
export class OpenStreams {
  readonly #open = new Set<SseStream>();
  #isEnding = false;

  constructor(private readonly options: SseOptions) {}

  get count(): number {
    return this.#open.size;
  }

  /** Opens the response as a stream for as long as `show` takes, and ends it then. */
  async during(
    response: Response,
    signal: LeaveSignal,
    show: (stream: SseStream) => Promise<void>,
  ): Promise<void> {
    const stream = new SseStream(response, signal, this.options);
    this.#open.add(stream);
    // It was asked for before the end began, and opens after.
    if (this.#isEnding) stream.interrupt();
    try {
      await show(stream);
    } finally {
      // Not on `close`: of a client that left while its input was stored, that was told before the stream was here.
      this.#open.delete(stream);
      stream.end();
    }
  }

  /** Ends all streams, and from now on each that opens. */
  endAll(): void {
    this.#isEnding = true;
    for (const stream of this.#open) stream.interrupt();
  }
}
