import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  readonly deadlineMs: number;
  readonly pollMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks until the answer is not undefined and returns it; undefined at the deadline. Rejects when aborted. */
export async function waitUntil<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { deadlineMs, pollMs = 20, signal }: WaitOptions,
): Promise<T | undefined> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() >= deadline) return undefined;
    await delay(pollMs, undefined, { signal });
  }
}
