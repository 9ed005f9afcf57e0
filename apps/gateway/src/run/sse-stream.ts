import { once } from 'node:events';
import { AdkError } from '@skein/contracts';
import type { Response } from 'express';
import type { LeaveSignal } from './leave-signal';

/** How event streams treat their clients. */
export interface SseOptions {
  /** A comment so often, for proxies that close silent connections. */
  readonly heartbeatMs: number;
  /** A client that does not take what was written for it in this time is sent away. */
  readonly stallMs: number;
  /** Called for each that was. */
  readonly onSlowClient: (response: Response) => void;
}

const RETRY_MS = 1000;
const LATE = 'late';

/**
 * One response as an event stream. Making it sends the heads, so that a client sees its stream open before the first
 * event: whatever is to be answered as plain JSON, with a status of its own, has to be found out before.
 */
export class SseStream {
  readonly #heartbeat: NodeJS.Timeout;

  constructor(
    private readonly response: Response,
    private readonly signal: LeaveSignal,
    private readonly options: SseOptions,
  ) {
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      // A proxy that gathered frames would cut them elsewhere, and ADK's UI reads chunk by chunk.
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs);
    response.once('close', () => clearInterval(this.#heartbeat));
  }

  /**
   * One frame, one write. Waits while the client does not read, so what piles up stays with the sender. Rejects with
   * `stream.slow-client` once it has not read for too long, and the stream is over then.
   */
  async write(frame: string): Promise<void> {
    // A client that is gone drains nothing: the wait for it would never end.
    if (this.response.writableEnded || this.response.destroyed) return;
    if (!this.response.write(frame)) await this.#drained();
  }

  /** Ends the stream so that the client comes back for the rest. */
  interrupt(): void {
    this.#end(`retry: ${RETRY_MS}\n\n`);
  }

  /** Ends the stream: there is no more to come. */
  end(): void {
    this.#end();
  }

  /** A whole chunk of its own: proxies keep the connection, clients skip it. One that does not read gets none. */
  #beat(): void {
    if (!this.response.writableNeedDrain) this.response.write(': ping\n\n');
  }

  async #drained(): Promise<void> {
    const waiting = new AbortController();
    const giveUp = () => waiting.abort();
    const late = setTimeout(() => waiting.abort(LATE), this.options.stallMs);
    this.signal.addEventListener('abort', giveUp);
    try {
      await once(this.response, 'drain', { signal: waiting.signal });
    } catch (error) {
      if (waiting.signal.reason !== LATE) throw error;
      this.#sendAway();
      throw new AdkError('unavailable', 'stream.slow-client', 'The client does not read its event stream');
    } finally {
      clearTimeout(late);
      this.signal.removeEventListener('abort', giveUp);
    }
  }

  #sendAway(): void {
    this.options.onSlowClient(this.response);
    this.interrupt();
    // It may yet read what it was left; what it leaves is not kept for it.
    const lingering = setTimeout(() => this.response.destroy(), this.options.stallMs);
    this.response.once('close', () => clearTimeout(lingering));
  }

  #end(last?: string): void {
    clearInterval(this.#heartbeat);
    if (!this.response.writableEnded) this.response.end(last);
  }
}
