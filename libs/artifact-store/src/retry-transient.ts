import { setTimeout as wait } from 'node:timers/promises';
import { AdkError } from '@skein/contracts';

export interface RetryPolicy {
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** After so long no new try begins. */
  readonly withinMs?: number;
}

/** Asks again what is away or late, so the work has to be repeatable. */
export async function retryTransient<T>(policy: RetryPolicy, work: () => Promise<T>): Promise<T> {
  const { attempts, withinMs = Infinity } = policy;
  const beganMs = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isOver = attempt >= attempts || performance.now() - beganMs >= withinMs;
      if (!isTransient(error) || isOver) throw error;
      await backOff(policy, attempt);
    }
  }
}

/** Jittered, so that the processes of a fleet do not come back in step. */
export async function backOff({ firstDelayMs, maxDelayMs }: RetryPolicy, attempt: number): Promise<void> {
  await wait(Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs) * (0.5 + Math.random() / 2));
}

/** Whether asking again may help: nobody was there, or the answer did not come in time. */
export function isTransient(error: unknown): boolean {
  return AdkError.isInstance(error) && (error.kind === 'unavailable' || error.kind === 'deadline');
}
