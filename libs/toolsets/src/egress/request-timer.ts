import { AdkError } from '@skein/contracts';

/** Bounds one request in time; ends with its owner's signal too. */
export interface Timer {
  readonly signal: AbortSignal;
  stop(): void;
  /** What the caller is told: that the time is over, that they ended it, or what was thrown. */
  reasonFor(thrown: unknown): unknown;
}

export function timerFor(timeoutMs: number, callers: AbortSignal): Timer {
  const ended = new AbortController();
  const timeout = Number.isFinite(timeoutMs)
    ? setTimeout(() => ended.abort(timedOut(timeoutMs)), timeoutMs).unref()
    : undefined;
  return {
    signal: AbortSignal.any([ended.signal, callers]),
    stop: () => clearTimeout(timeout),
    reasonFor: (thrown) => {
      const ender = [callers, ended.signal].find(({ aborted }) => aborted);
      return ender ? (ender.reason as unknown) : thrown;
    },
  };
}

function timedOut(timeoutMs: number): AdkError {
  return new AdkError('deadline', 'egress.timeout', `No whole answer came within ${timeoutMs} ms.`);
}
