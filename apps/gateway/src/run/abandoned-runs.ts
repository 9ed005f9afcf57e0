import { type CancelInvocation } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import { retryTransient } from '@skein/session-client';
import type { Response } from 'express';
import { type SessionApi } from '../session-api';

const ATTEMPTS = 5;

/** Cancels runs whose client went before it had its answer, and had asked for that. */
export class AbandonedRuns {
  constructor(
    private readonly api: Pick<SessionApi, 'cancel'>,
    private readonly logger: Logger,
  ) {}

  /** What the gateway ends by itself is no such thing: at its shutdown, or of a client that does not read. */
  watch(response: Response, run: CancelInvocation): void {
    const leave = (): void => {
      if (!response.writableEnded) void this.#cancel(run);
    };
    // Told before anybody listened; `close` does not come a second time.
    if (response.destroyed) leave();
    else response.once('close', leave);
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
