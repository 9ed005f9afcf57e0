import { setTimeout as pause } from 'node:timers/promises';

/** Asks until it is so; throws when it is not so in time. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  deadlineMs: number,
  everyMs = 20,
): Promise<void> {
  const endsAtMs = performance.now() + deadlineMs;
  while (!(await isSo())) {
    if (performance.now() > endsAtMs) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`);
    await pause(everyMs);
  }
}
