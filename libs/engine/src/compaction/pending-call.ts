import { type Event } from '@skein/contracts';
import { pairResponses } from '../flow/contents/pair-responses';

/**
 * Where the newest invocation waits: the index of its first call without a response, or the end. An older one was left
 * behind by its user and may be summarised; should its response come, its call is brought back (B8).
 */
export function firstPendingIndex(events: readonly Event[]): number {
  // What others wrote last, state from outside say, belongs to no run.
  const newest = events.findLast(({ content }) => content)?.invocationId;
  const { exchanges } = pairResponses(events);
  const index = events.findIndex(
    (event) =>
      event.invocationId === newest && exchanges.get(event)?.calls.some(({ isAnswered }) => !isAnswered),
  );
  return index === -1 ? events.length : index;
}
