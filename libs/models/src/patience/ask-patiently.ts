import { setTimeout as delay } from 'node:timers/promises';
import { AdkError } from '@skein/contracts';
import { type Circuit } from '../circuit/circuit';
import { type Lane, type ModelPace, type RequestEnd, type Turn } from '../pace/model-pace';
import { type Failure, isBrokenOff, isOverload, isPassing, readFailure } from '../provider/read-failure';
import { retryAfterMs } from '../provider/retry-after';
import { Attempt } from './attempt';
import { ModelTimeout, type Patience } from './patience';

/** However often it failed: longer than this is worse for whoever waits than it helps the provider. */
const MAX_DELAY_MS = 30_000;

/** What the requests of a call go through. */
export interface Way {
  readonly lane: Lane;
  readonly pace: ModelPace;
  readonly circuit: Circuit;
}

/**
 * What `open` makes of the requests of one call. A request that fails in a way that passes is made again, but only before
 * anything of it was shown: that cannot be taken back. Throws what the last request threw, or the reason of the abort;
 * `model.away` and `model.held-back` where there was none.
 */
export async function* askPatiently<T>(
  open: (attempt: Attempt) => AsyncIterable<T>,
  patience: Patience,
  way: Way,
  abortSignal?: AbortSignal,
): AsyncGenerator<T, void> {
  const call = new Call(patience, way, abortSignal);
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
  const turn = await call.turn();
  const attempt = new Attempt(call.signal, call.patience, () => turn.accepted());
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
    turn.end(end);
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
    readonly patience: Patience,
    private readonly way: Way,
    private readonly abortSignal: AbortSignal | undefined,
  ) {
    const { totalTimeoutMs } = patience;
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
  async turn(): Promise<Turn> {
    const { lane, pace, circuit } = this.way;
    try {
      // Whoever is to be turned away anyway does not wait for the pace first.
      circuit.check(lane.model);
      const maxHoldMs = this.patience.maxWaitMs - this.#waitedMs;
      const paced = await pace.enter(lane, { signal: this.signal, maxHoldMs });
      const turn = both(paced, () => circuit.begin(lane.model));
      this.#requests += 1;
      this.#waitedMs += this.#toldMs;
      return turn;
    } catch (error) {
      if (this.#lastFailure && AdkError.isInstance(error)) throw this.#lastFailure.thrown;
      throw error;
    }
  }

  /** Whether another request may follow the one that failed. */
  takesAnother(failure: Failure): boolean {
    this.#lastFailure = failure;
    if (this.#requests >= this.patience.maxAttempts || !isPassing(failure)) return false;
    const toldMs = retryAfterMs(failure);
    this.#toldMs = toldMs ?? 0;
    // The provider's own pace says when, for whoever asks it.
    this.#delayMs = isOverload(failure) ? 0 : (toldMs ?? this.#backOffMs());
    return this.#waitedMs + this.#toldMs <= this.patience.maxWaitMs;
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
    const delayMs = this.patience.firstDelayMs * 2 ** (this.#requests - 1);
    return Math.min(delayMs, MAX_DELAY_MS) * (0.5 + Math.random());
  }
}

/** The turn that was given, and the other one, which is begun after it: it keeps nobody else waiting until then. */
function both(given: Turn, begin: () => Turn): Turn {
  let other: Turn;
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
  if (status !== undefined) return { kind: status < 500 ? 'refused' : 'failed' };
  // What is none of these is a mistake in the code: the provider has no part in it.
  return { kind: thrown instanceof ModelTimeout || isBrokenOff(thrown) ? 'failed' : 'abandoned' };
}
