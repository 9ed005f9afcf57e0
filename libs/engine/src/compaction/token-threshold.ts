import { type Event, type EventCompaction } from '@skein/contracts';
import { describePart } from '../flow/contents/describe-part';
import { type CompactableHistory, type EventsToCompact } from './compactable-history';
import { type EventsCompactionConfig } from './events-compaction-config';
import { firstPendingIndex } from './pending-call';
import { safeSplit } from './safe-split';
import { timeRange } from './time-range';

/**
 * Before a model call whose prompt has grown to `tokenThreshold`: everything but the last `eventRetentionSize` events.
 * Earlier summaries open the events, so that the new one replaces them.
 */
export function tokenThreshold(
  history: CompactableHistory,
  { tokenThreshold: threshold, eventRetentionSize: retained }: EventsCompactionConfig,
): EventsToCompact | undefined {
  if (threshold === undefined || retained === undefined) return undefined;
  if (promptTokens(history) < threshold) return undefined;
  const { fresh } = history;
  const compactions = history.summaries.flatMap(({ actions }) => actions.compaction ?? []);
  const summarisedUntil = Math.max(-Infinity, ...compactions.map(({ endTimestamp }) => endTimestamp));
  const latest = Math.min(fresh.length - retained, firstPendingIndex(fresh));
  const events = fresh.slice(0, safeSplit(fresh, latest, summarisedUntil));
  if (events.length === 0) return undefined;
  const { startTimestamp, endTimestamp } = timeRange(events);
  return {
    events: [...history.summaries.flatMap(asEvent), ...events],
    startTimestamp: Math.min(startTimestamp, ...compactions.map((compaction) => compaction.startTimestamp)),
    endTimestamp: Math.max(endTimestamp, summarisedUntil),
  };
}

const CHARACTERS_PER_TOKEN = 4;

/** What the model counted, else a guess. */
function promptTokens({ promptTokenCount, fresh, summaries }: CompactableHistory): number {
  if (promptTokenCount !== undefined) return promptTokenCount;
  const events = [...summaries.flatMap(asEvent), ...fresh];
  const characters = events.reduce((sum, event) => sum + charactersOf(event), 0);
  return Math.floor(characters / CHARACTERS_PER_TOKEN);
}

/** Media count nothing here: the length of their bytes says nothing about their tokens. */
function charactersOf({ author, content }: Event): number {
  const sentences = (content?.parts ?? []).map((part) => part.text ?? describePart(author, part) ?? '');
  return sentences.reduce((sum, { length }) => sum + length, 0);
}

/** A summary as an event that says it, at the time it begins to stand for. */
function asEvent(event: Event): Event[] {
  const compaction: EventCompaction | undefined = event.actions.compaction;
  if (!compaction) return [];
  const { startTimestamp, compactedContent } = compaction;
  return [{ ...event, author: 'model', timestamp: startTimestamp, content: compactedContent }];
}
