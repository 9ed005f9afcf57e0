import { setTimeout as delay } from 'node:timers/promises';
import { type Failure, isPassing, readFailure } from '../provider/read-failure';
import { retryAfterMs } from '../provider/retry-after';
import { Attempt } from './attempt';
import { ModelTimeout, type Patience } from './patience';

/** However often it failed: longer than this is worse for whoever waits than it helps the provider. */
const MAX_DELAY_MS = 30_000;

/**
 * What `open` makes of the requests of one call. A request that fails in a way that passes is made again, but only before
 * anything of it was shown: that cannot be taken back. Throws what the last request threw, or the reason of the abort.
 */
export async function* askPatiently<T>(
  open: (attempt: Attempt) => AsyncIterable<T>,
  patience: Patience,
  abortSignal?: AbortSignal,
): AsyncGenerator<T, void> {
  const call = new Call(patience, abortSignal);
  try {
    while (!(yield* askOnce(open, call))) await call.pause();
  } finally {
    call.end();
  }
}

/** One request; answers whether it is done with, and throws when no other can follow it. */
async function* askOnce<T>(
  open: (attempt: Attempt) => AsyncIterable<T>,
  call: Call,
): AsyncGenerator<T, boolean> {
  const attempt = new Attempt(call.signal, call.patience);
  let isShown = false;
  try {
    for await (const piece of open(attempt)) {
      isShown = true;
      yield piece;
    }
    return true;
  } catch (thrown) {
    // An SDK makes an error of its own of an abort; what it was aborted for says more.
    const error: unknown = attempt.signal.aborted ? attempt.signal.reason : thrown;
    call.signal.throwIfAborted();
    if (isShown || !call.takesAnother(readFailure(error, attempt.response))) throw error;
    return false;
  } finally {
    attempt.end();
  }
}

/** The bounds of one call over all its requests. */
class Call {
  readonly signal: AbortSignal;
  readonly #late = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #failures = 0;
  #waitedMs = 0;
  #delayMs = 0;

  constructor(
    readonly patience: Patience,
    abortSignal: AbortSignal | undefined,
  ) {
    const { totalTimeoutMs } = patience;
    this.#timer = setTimeout(
      () => this.#late.abort(new ModelTimeout('total', totalTimeoutMs)),
      totalTimeoutMs,
    );
    this.signal = abortSignal ? AbortSignal.any([abortSignal, this.#late.signal]) : this.#late.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** Whether another request may follow the one that failed. */
  takesAnother(failure: Failure): boolean {
    this.#failures += 1;
    if (this.#failures >= this.patience.maxAttempts || !isPassing(failure)) return false;
    this.#delayMs = retryAfterMs(failure) ?? this.#backOffMs();
    this.#waitedMs += this.#delayMs;
    return this.#waitedMs <= this.patience.maxWaitMs;
  }

  /** Until the next request may be made. */
  async pause(): Promise<void> {
    try {
      await delay(this.#delayMs, undefined, { signal: this.signal });
    } catch (error) {
      // The timer's own AbortError says nothing; the signal's reason does.
      this.signal.throwIfAborted();
      throw error;
    }
  }

  #backOffMs(): number {
    const delayMs = this.patience.firstDelayMs * 2 ** (this.#failures - 1);
    return Math.min(delayMs, MAX_DELAY_MS) * (0.5 + Math.random());
  }
}
