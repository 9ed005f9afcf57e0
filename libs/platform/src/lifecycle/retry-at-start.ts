import { setTimeout as delay } from 'node:timers/promises';
import { AdkError } from '@skein/contracts';
import { type Logger } from '../logging/logger';
import { withoutPassword } from '../logging/redact';

export interface RetryAtStart<T> {
  /** As the operator knows it: `PostgreSQL`. */
  readonly what: string;
  /** Its URL; a password in it is not shown. */
  readonly where: string;
  readonly attempt: () => Promise<T>;
  readonly logger: Logger;
  readonly attempts?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  /** False ends the wait at once: a wrong password does not become right. An AdkError is then thrown as it is. */
  readonly isRetryable?: (error: unknown) => boolean;
}

/** Waits for something to come up, about 10 s in all by default; then throws one sentence that names what was away. */
export async function retryAtStart<T>(options: RetryAtStart<T>): Promise<T> {
  const { what, attempt, logger, attempts = 8, firstDelayMs = 200, maxDelayMs = 2_000 } = options;
  const where = withoutPassword(options.where);
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      const isHopeless = options.isRetryable?.(error) === false;
      if (isHopeless && AdkError.isInstance(error)) throw error;
      if (isHopeless || tried >= attempts)
        throw startError(`${what} at ${where} cannot be used`, tried, error);
      // Full jitter above half, so that processes started together do not knock together.
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (tried - 1)) * (0.5 + Math.random() / 2);
      logger.warn(
        { what, where, attempt: tried, delayMs: Math.round(delayMs), reason: reasonOf(error) },
        'not there yet',
      );
      await delay(delayMs);
    }
  }
}

function startError(problem: string, tried: number, cause: unknown): AdkError {
  const times = tried === 1 ? '' : ` (tried ${tried} times)`;
  return new AdkError('unavailable', 'start.unavailable', `${problem}: ${reasonOf(cause)}${times}`, {
    cause,
  });
}

/** Node gives a refused connection to a name with two addresses as an AggregateError without a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = error.name } = error as NodeJS.ErrnoException;
  return withoutPassword(error.message === '' ? code : error.message);
}
