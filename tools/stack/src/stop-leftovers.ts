import { isAlive, type StackProcess, type StackState } from './stack-file';
import { waitUntil } from './wait-until';

/**
 * Ends what a killed stack left running, before anything new starts on its data. Their guards do the same; this
 * is for what they missed. Returns the names of those it had to end.
 */
export async function stopLeftovers(
  previous: StackState | undefined,
  deadlineMs = 10_000,
): Promise<readonly string[]> {
  const leftovers = previous?.processes.filter(isAlive) ?? [];
  for (const leftover of leftovers) send(leftover, leftover.app === 'postgres' ? 'SIGINT' : 'SIGTERM');
  const areGone = (): true | undefined => (leftovers.some(isAlive) ? undefined : true);
  if (!(await waitUntil(areGone, { deadlineMs }))) {
    for (const leftover of leftovers.filter(isAlive)) send(leftover, 'SIGKILL');
    await waitUntil(areGone, { deadlineMs: 2_000 });
  }
  return leftovers.map(({ name }) => name);
}

function send({ pid }: StackProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the look and the signal.
  }
}
