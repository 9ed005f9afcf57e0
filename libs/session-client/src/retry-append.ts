import { setTimeout as wait } from 'node:timers/promises';
import { AdkError, type Appended, type AppendUnit } from '@skein/contracts';
import { type AppendUnitClient } from './append-unit-client';

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

/**
 * Sends one unit until it has a definite answer. A unit whose outcome is unknown is sent again as it is: its `appendNo`
 * makes the repeat harmless. It gives up only when the lease is lost, which aborts the signal.
 */
export async function retryAppend(
  client: AppendUnitClient,
  unit: AppendUnit,
  signal: AbortSignal,
): Promise<Appended> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
    signal.throwIfAborted();
    try {
      return await client.append(unit);
    } catch (error) {
      if (!isTransient(error)) throw error;
      // Jittered, so that the runners of a fleet do not come back in step.
      await wait(delayMs * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }
}

function isTransient(error: unknown): boolean {
  return AdkError.isInstance(error) && (error.kind === 'unavailable' || error.kind === 'deadline');
}
