import { type Event } from '@skein/contracts';
import { getFunctionResponses } from '../event/function-parts';

/**
 * Whether an invocation waits for somebody outside: one of its events names a long-running call that nothing in the
 * session answers afterwards. From the end, because models use one id again: an answer belongs to the calls before it.
 */
export function isWaiting(events: readonly Event[], invocationId: string): boolean {
  const answered = new Set<string | undefined>();
  return events.toReversed().some((event) => {
    const isOpen =
      event.invocationId === invocationId && event.longRunningToolIds?.some((id) => !answered.has(id));
    for (const { id } of getFunctionResponses(event)) answered.add(id);
    return isOpen;
  });
}
