import { type Event } from '@skein/contracts';
import { coverageOf } from './compaction-coverage';
import { type ContentsView } from './contents-view';
import { recoverCompactedCalls } from './recover-compacted-calls';

/** The history with each summary in the place of the events it covers (B8). */
export function applyCompactions(events: readonly Event[], view: ContentsView): readonly Event[] {
  if (!events.some(({ actions }) => actions.compaction)) return events;
  const { covered, summaries } = coverageOf(events, view.branch);
  const told: Event[] = [];
  /** Summaries on their way back to the end of their range. */
  const pending: Event[] = [];
  for (const event of events.toReversed()) {
    if (summaries.has(event)) pending.push(event);
    if (event.actions.compaction) continue;
    while (pending.length > 0 && endOf(pending[0]) >= event.timestamp) told.push(...take(pending, view));
    if (!covered.has(event)) told.push(event);
  }
  while (pending.length > 0) told.push(...take(pending, view));
  return recoverCompactedCalls(told.reverse(), events, covered);
}

function endOf(event: Event | undefined): number {
  return event?.actions.compaction?.endTimestamp ?? -Infinity;
}

/** A summary reads as the agent's own earlier words, not as another agent's. */
function take(pending: Event[], { agentName }: ContentsView): Event[] {
  const event = pending.shift();
  const content = event?.actions.compaction?.compactedContent;
  return event && content ? [{ ...event, author: agentName, content }] : [];
}
