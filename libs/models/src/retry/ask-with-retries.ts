import { setTimeout as delay } from 'node:timers/promises';
import { AdkError } from '@skein/contracts';
import { type CircuitBreaker } from '../circuit/circuit-breaker';
import { type Lane, type RateLimiter, type RequestEnd, type Permit } from '../limiter/rate-limiter';
import {
  type Failure,
  isBrokenOff,
  isOutage,
  isOverload,
  isPassing,
  readFailure,
} from '../failure/read-failure';
import { retryAfterMs } from '../failure/retry-after';
import { Attempt } from './attempt';
import { ModelTimeout, type RetryPolicy } from './retry-policy';

/** However often it failed: longer than this is worse for whoever waits than it helps the provider. */
const MAX_DELAY_MS = 30_000;

/** What the requests of a call go through. */
export interface Way {
  readonly lane: Lane;
  readonly limiter: RateLimiter;
  readonly circuit: CircuitBreaker;
}

/**
 * What `open` makes of the requests of one call. A request that fails in a way that passes is made again, but only before
 * anything of it was shown: that cannot be taken back. Throws what the last request threw, or the reason of the abort;
 * `model.away` and `model.held-back` where there was none.
 */
export async function* askWithRetries<T>(
  open: (attempt: Attempt) => AsyncIterable<T>,
  policy: RetryPolicy,
  way: Way,
  abortSignal?: AbortSignal,
): AsyncGenerator<T, void> {
  const call = new Call(policy, way, abortSignal);
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
  const permit = await call.permit();
  const attempt = new Attempt(call.signal, call.policy, () => permit.accepted());
  let isShown = false;
  // As it is when whoever listens leaves in between.
  let end: RequestEnd = { kind: 'abandoned' };
  try {
    for await (const piece of open(attempt)) {
      isShown = true;
      yield piece;
    }
    end = { kind: 'answered' };
    return true;
  } catch (thrown) {
    // An SDK makes an error of its own of an abort; what it was aborted for says more.
    const error: unknown = attempt.signal.aborted ? attempt.signal.reason : thrown;
    call.throwIfCancelled();
    const failure = readFailure(error, attempt.response);
    end = endOf(failure);
    if (isShown || !call.takesAnother(failure)) throw error;
    return false;
  } finally {
    attempt.end();
    permit.end(end);
  }
}

/** The bounds of one call over all its requests. */
class Call {
  readonly signal: AbortSignal;
  readonly #late = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #requests = 0;
  #waitedMs = 0;
  /** As long as the provider said last. */
  #toldMs = 0;
  #delayMs = 0;
  #lastFailure: Failure | undefined;

  constructor(
    readonly policy: RetryPolicy,
    private readonly way: Way,
    private readonly abortSignal: AbortSignal | undefined,
  ) {
    const { totalTimeoutMs } = policy;
    this.#timer = setTimeout(
      () => this.#late.abort(new ModelTimeout('total', totalTimeoutMs)),
      totalTimeoutMs,
    );
    // Whoever leaves its answers half read keeps no process from its end.
    this.#timer.unref();
    this.signal = abortSignal ? AbortSignal.any([abortSignal, this.#late.signal]) : this.#late.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  throwIfCancelled(): void {
    this.abortSignal?.throwIfAborted();
  }

  /** Leave for the next request. What its provider said last is more than that it is not asked now. */
  async permit(): Promise<Permit> {
    const { lane, limiter, circuit } = this.way;
    try {
      // Whoever is to be turned away anyway does not wait for the limiter first.
      circuit.check(lane.model);
      const maxHoldMs = this.policy.maxWaitMs - this.#waitedMs;
      const limited = await limiter.enter(lane, { signal: this.signal, maxHoldMs });
      const permit = both(limited, () => circuit.begin(lane.model));
      this.#requests += 1;
      this.#waitedMs += this.#toldMs;
      return permit;
    } catch (error) {
      if (this.#lastFailure && AdkError.isInstance(error)) throw this.#lastFailure.thrown;
      throw error;
    }
  }

  /** Whether another request may follow the one that failed. */
  takesAnother(failure: Failure): boolean {
    this.#lastFailure = failure;
    if (this.#requests >= this.policy.maxAttempts || !isPassing(failure)) return false;
    const toldMs = retryAfterMs(failure);
    this.#toldMs = toldMs ?? 0;
    // The provider's limiter says when, for whoever asks it.
    this.#delayMs = isOverload(failure) ? 0 : (toldMs ?? this.#backOffMs());
    return this.#waitedMs + this.#toldMs <= this.policy.maxWaitMs;
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
    const delayMs = this.policy.firstDelayMs * 2 ** (this.#requests - 1);
    return Math.min(delayMs, MAX_DELAY_MS) * (0.5 + Math.random());
  }
}

/** The permit that was given, and the other one, which is begun after it: it keeps nobody else waiting until then. */
function both(given: Permit, begin: () => Permit): Permit {
  let other: Permit;
  try {
    other = begin();
  } catch (error) {
    given.end({ kind: 'abandoned' });
    throw error;
  }
  return {
    accepted: () => {
      other.accepted();
      given.accepted();
    },
    end: (end) => {
      other.end(end);
      given.end(end);
    },
  };
}

function endOf(failure: Failure): RequestEnd {
  if (isOverload(failure)) return { kind: 'overloaded', retryAfterMs: retryAfterMs(failure) };
  const { status, thrown } = failure;
  if (status !== undefined) return { kind: isOutage(failure) || isPassing(failure) ? 'failed' : 'refused' };
  // What is none of these is a mistake in the code: the provider has no part in it.
  return { kind: thrown instanceof ModelTimeout || isBrokenOff(thrown) ? 'failed' : 'abandoned' };
}
