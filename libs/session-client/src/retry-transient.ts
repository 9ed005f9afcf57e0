import { setTimeout as wait } from 'node:timers/promises';
import { AdkError } from '@skein/contracts';

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

export interface RetryOptions {
  /** Ends the tries, and rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Without this or a time it goes on until there is a definite answer, or the signal. */
  readonly attempts?: number;
  /** After so long no new try begins. */
  readonly withinMs?: number;
}

/** Asks until there is a definite answer: only what is away or late is asked again, so the work has to be repeatable. */
export async function retryTransient<T>(
  work: () => Promise<T>,
  { signal, attempts = Infinity, withinMs = Infinity }: RetryOptions,
): Promise<T> {
  const beganMs = performance.now();
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const isOver = attempt >= attempts || performance.now() - beganMs >= withinMs;
      if (!isTransient(error) || isOver) throw error;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
      // Jittered, so that the runners of a fleet do not come back in step.
      await pause(delayMs * (0.5 + Math.random() / 2), signal);
    }
  }
}

async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
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
