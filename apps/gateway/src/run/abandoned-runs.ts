import { type CancelInvocation, retryTransient } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import type { Response } from 'express';
import { type SessionApi } from '../session-api';

const ATTEMPTS = 5;

interface Followers {
  /** Connections, one of which may be half open, and close long after its client is back on another. */
  count: number;
  /** One of them asked for the run to end with its client. */
  isWished: boolean;
}

/** Cancels runs whose last client at this gateway went before it had its answer, where one of its clients had asked for that. */
export class AbandonedRuns {
  readonly #followed = new Map<string, Followers>();

  constructor(
    private readonly api: Pick<SessionApi, 'cancel'>,
    private readonly logger: Logger,
  ) {}

  /** What the gateway ends by itself is no such thing: at its shutdown, or of a client that does not read. */
  follow(response: Response, run: CancelInvocation, endsWithClient: boolean): void {
    const { invocationId } = run;
    const followers = this.#followed.get(invocationId) ?? { count: 0, isWished: false };
    this.#followed.set(invocationId, followers);
    followers.count += 1;
    followers.isWished ||= endsWithClient;
    const leave = (): void => {
      followers.count -= 1;
      if (followers.count > 0) return;
      this.#followed.delete(invocationId);
      if (followers.isWished && !response.writableEnded) void this.#cancel(run);
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
