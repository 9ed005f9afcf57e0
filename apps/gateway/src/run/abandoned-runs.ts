import { type CancelInvocation } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import { retryTransient } from '@skein/session-client';
import type { Response } from 'express';
import { type SessionApi } from '../session-api';

const ATTEMPTS = 5;

/** Cancels runs whose last client at this gateway went before it had its answer, and had asked for that. */
export class AbandonedRuns {
  /** Connections that follow a run, by invocation. One of them may be half open, and close long after its client is back. */
  readonly #watching = new Map<string, number>();

  constructor(
    private readonly api: Pick<SessionApi, 'cancel'>,
    private readonly logger: Logger,
  ) {}

  /** What the gateway ends by itself is no such thing: at its shutdown, or of a client that does not read. */
  watch(response: Response, run: CancelInvocation): void {
    const { invocationId } = run;
    this.#watching.set(invocationId, this.#watchers(invocationId) + 1);
    const leave = (): void => {
      const left = this.#watchers(invocationId) - 1;
      if (left > 0) this.#watching.set(invocationId, left);
      else this.#watching.delete(invocationId);
      if (left === 0 && !response.writableEnded) void this.#cancel(run);
    };
    // Told before anybody listened; `close` does not come a second time.
    if (response.destroyed) leave();
    else response.once('close', leave);
  }

  #watchers(invocationId: string): number {
    return this.#watching.get(invocationId) ?? 0;
  }

  async #cancel(run: CancelInvocation): Promise<void> {
    try {
      await retryTransient(() => this.api.cancel(run), { attempts: ATTEMPTS });
    } catch (error) {
      this.logger.warn(
        { ...run, err: error },
        'run of a client that left goes on: it could not be cancelled',
      );
    }
  }
}
