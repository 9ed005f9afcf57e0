import { setTimeout as wait } from 'node:timers/promises';
import { AdkError } from './adk-error';

export interface BackOff {
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
}

export interface RetryOptions extends BackOff {
  /** Ends the tries, and rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Without this or a time it goes on until there is a definite answer, or the signal. */
  readonly attempts?: number;
  /** After so long no new try begins. */
  readonly withinMs?: number;
}

/** Asks until there is a definite answer: only what is away or late is asked again, so the work has to be repeatable. */
export async function retryTransient<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, attempts = Infinity, withinMs = Infinity } = options;
  const beganMs = performance.now();
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const isOver = attempt >= attempts || performance.now() - beganMs >= withinMs;
      if (!isTransient(error) || isOver) throw error;
      await backOff(options, attempt, signal);
    }
  }
}

/** The pause behind a failed try, the first being 1: longer each time, and jittered, so that a fleet does not come back in step. */
export async function backOff(
  { firstDelayMs = 50, maxDelayMs = 2_000 }: BackOff,
  attempt: number,
  signal?: AbortSignal,
): Promise<void> {
  const delayMs = Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs) * (0.5 + Math.random() / 2);
  try {
    await wait(delayMs, undefined, signal ? { signal } : {});
  } catch {
    // The timer's own AbortError says nothing; the signal's reason does, and is thrown by the next try.
  }
}

/** Whether asking again may help: nobody was there, or the answer did not come in time. */
export function isTransient(error: unknown): boolean {
  return AdkError.isInstance(error) && (error.kind === 'unavailable' || error.kind === 'deadline');
}
