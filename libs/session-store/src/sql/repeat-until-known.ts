import { AdkError } from '@skein/contracts';
import { isOutcomeUnknown } from '../translate-error';

/** Less than callers wait for an answer. */
const PATIENCE_MS = 3_000;
const RETRY_MS = 20;
const SLOWEST_RETRY_MS = 250;

/**
 * Does what is harmless to do again until it is known what became of it: a connection that is cut at COMMIT says nothing
 * of it. `work` is told whether it is a repeat. What fails before anything is sent fails at once, and so does everything
 * after 3 s.
 */
export async function repeatUntilKnown<T>(work: (isRepeat: boolean) => Promise<T>): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  let isRepeat = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(isRepeat);
    } catch (error) {
      isRepeat ||= isOutcomeUnknown(error);
      const mayPass = AdkError.isInstance(error) && error.kind === 'unavailable';
      if (!isRepeat || !mayPass || performance.now() > endMs) throw error;
      const waitMs = Math.min(RETRY_MS * attempt, SLOWEST_RETRY_MS);
      await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
    }
  }
}
