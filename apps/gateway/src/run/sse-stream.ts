import { once } from 'node:events';
import type { Response } from 'express';

const HEARTBEAT_MS = 15_000;

/**
 * One response as an event stream. Making it sends the heads, so that a client sees its stream open before the first
 * event: whatever is to be answered as plain JSON, with a status of its own, has to be found out before.
 */
export class SseStream {
  readonly #heartbeat: NodeJS.Timeout;

  constructor(
    private readonly response: Response,
    private readonly signal: AbortSignal,
  ) {
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      Connection: 'keep-alive',
      // A proxy that gathered frames would cut them elsewhere, and ADK's UI reads chunk by chunk.
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    // A comment is a whole chunk of its own: proxies keep the connection, clients skip it.
    this.#heartbeat = setInterval(() => response.write(': ping\n\n'), HEARTBEAT_MS);
    response.once('close', () => clearInterval(this.#heartbeat));
  }

  /** One frame, one write. Waits while the client does not read, so what piles up stays with the sender. */
  async write(frame: string): Promise<void> {
    // A client that is gone drains nothing: the wait for it would never end.
    if (this.response.writableEnded || this.response.destroyed) return;
    if (!this.response.write(frame)) await once(this.response, 'drain', { signal: this.signal });
  }

  /** Ends the stream; `retryMs` tells the client when to come back. */
  end(retryMs?: number): void {
    clearInterval(this.#heartbeat);
    if (!this.response.writableEnded)
      this.response.end(retryMs === undefined ? undefined : `retry: ${retryMs}\n\n`);
  }
}
