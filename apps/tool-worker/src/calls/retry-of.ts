import { AdkError, type ToolPolicy } from '@skein/contracts';
import { type ExecutedTool } from './tool-outcome';

/** What decides whether a failed attempt is worth another. */
export interface RetryRule {
  readonly policy: Pick<ToolPolicy, 'sideEffect'>;
  /** The tool's own; undefined where its author asked for no retries. */
  readonly retryOn: ((error: unknown) => boolean) | undefined;
}

/**
 * Marks a failed attempt that may be tried again: the author asked for retries and does not rule this failure out, or the
 * tool itself says that what it needs is away for now. A call that may run once never is: what it did is not known.
 */
export function withRetry(
  failed: ExecutedTool,
  error: unknown,
  { policy, retryOn }: RetryRule,
): ExecutedTool {
  if (failed.outcome.kind !== 'error' || policy.sideEffect === 'once') return failed;
  const away = AdkError.isInstance(error) && error.kind === 'unavailable' ? error : undefined;
  if (!isWanted(retryOn, error) && away === undefined) return failed;
  const afterMs = away?.retryAfterMs;
  return { ...failed, retry: afterMs === undefined ? {} : { afterMs: Math.max(0, Math.round(afterMs)) } };
}

/** A rule that throws says nothing: the failure stays what it was. */
function isWanted(retryOn: RetryRule['retryOn'], error: unknown): boolean {
  try {
    return retryOn?.(error) === true;
  } catch {
    return false;
  }
}
