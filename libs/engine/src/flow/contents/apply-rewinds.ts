import { type Event } from '@skein/contracts';

/** The events without what was taken back: from the first event of a named invocation up to its marker (B1). */
export function applyRewinds(events: readonly Event[]): readonly Event[] {
  if (!events.some(rewoundInvocation)) return events;
  const firstIndexes = firstIndexOfInvocations(events);
  const kept: Event[] = [];
  // From the end, because a later rewind may take an earlier marker back, which then rewinds nothing.
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    if (!event) continue;
    const invocationId = rewoundInvocation(event);
    if (invocationId === undefined) kept.push(event);
    // A marker that names nothing before it is only dropped itself.
    else index = Math.min(index, firstIndexes.get(invocationId) ?? index);
  }
  return kept.reverse();
}

function rewoundInvocation(event: Event): string | undefined {
  return event.actions.rewindBeforeInvocationId;
}

function firstIndexOfInvocations(events: readonly Event[]): ReadonlyMap<string, number> {
  const indexes = new Map<string, number>();
  events.forEach(({ invocationId }, index) => {
    if (!indexes.has(invocationId)) indexes.set(invocationId, index);
  });
  return indexes;
}
