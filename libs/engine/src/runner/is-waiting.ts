import { type Event } from '@skein/contracts';
import { getFunctionResponses } from '../event/function-parts';
import { isClosing } from '../flow/answers-of';

/**
 * Whether an invocation waits for somebody outside: one of its events names a long-running call that nothing in the
 * session answers afterwards; in a resumable app nobody but the user answers it (B54). From the end, because models use
 * one id again: an answer belongs to the calls before it.
 */
export function isWaiting(events: readonly Event[], invocationId: string, isResumable = false): boolean {
  const answered = new Set<string | undefined>();
  return events.toReversed().some((event) => {
    const isOpen =
      event.invocationId === invocationId && event.longRunningToolIds?.some((id) => !answered.has(id));
    if (isResumable && event.author !== 'user' && !isClosing(event)) return isOpen;
    for (const { id } of getFunctionResponses(event)) answered.add(id);
    return isOpen;
  });
}
