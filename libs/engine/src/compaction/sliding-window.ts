import { type Event } from '@skein/contracts';
import { type CompactableHistory, type EventsToCompact } from './compactable-history';
import { type EventsCompactionConfig } from './events-compaction-config';
import { firstPendingIndex } from './pending-call';
import { safeSplit } from './safe-split';
import { timeRange } from './time-range';

/**
 * After a finished run: every `compactionInterval` new invocations, these and the `overlapSize` before them. New is an
 * invocation that says something no summary stands for. One that waits for a response is not finished and stays out.
 */
export function slidingWindow(
  { events, fresh }: CompactableHistory,
  { compactionInterval, overlapSize }: EventsCompactionConfig,
): EventsToCompact | undefined {
  const end = safeSplit(events, startOfWaiting(events));
  const finished = events.slice(0, end);
  const isFresh = new Set(fresh);
  const newInvocations = invocationsOf(finished.filter((event) => isFresh.has(event)));
  if (newInvocations.size < compactionInterval) return undefined;
  const invocations = [...invocationsOf(finished)];
  const firstNew = invocations.findIndex((id) => newInvocations.has(id));
  const first = invocations[Math.max(0, firstNew - overlapSize)];
  const start = safeSplit(
    finished,
    finished.findIndex(({ invocationId }) => invocationId === first),
  );
  const window = finished.slice(start);
  return { events: window, ...timeRange(window) };
}

/** The first event of the newest invocation if it waits, else the end. */
function startOfWaiting(events: readonly Event[]): number {
  const pending = events[firstPendingIndex(events)];
  if (!pending) return events.length;
  return events.findIndex(({ invocationId }) => invocationId === pending.invocationId);
}

/** In the order of their first events. */
function invocationsOf(events: readonly Event[]): ReadonlySet<string> {
  return new Set(events.map(({ invocationId }) => invocationId));
}
