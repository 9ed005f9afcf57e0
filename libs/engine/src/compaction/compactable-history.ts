import { type Event } from '@skein/contracts';
import { applyRewinds } from '../flow/contents/apply-rewinds';
import { coverageOf } from '../flow/contents/compaction-coverage';
import { selectEvents, type SelectionView } from '../flow/contents/select-events';

/** A session's events as a compaction sees them: what contents are built from, so that it sums up what a model saw. */
export interface CompactableHistory {
  /** What was said, compactions left out. */
  readonly events: readonly Event[];
  /** Of these, the ones no summary stands for yet. */
  readonly fresh: readonly Event[];
  /** Compaction events whose summary counts. */
  readonly summaries: readonly Event[];
  /** Prompt tokens of the latest model answer since the latest compaction, if it told. */
  readonly promptTokenCount: number | undefined;
}

/** The history to be compacted at a place. A place sees only what is visible there, and speaks for no more (B3). */
export function compactableHistory(
  sessionEvents: readonly Event[],
  place: SelectionView,
): CompactableHistory {
  const selected = selectEvents(applyRewinds(sessionEvents), place);
  const { covered, summaries } = coverageOf(selected, place.branch);
  const events = selected.filter(({ actions }) => !actions.compaction);
  // Counts from before a compaction would set it off again at once, as would its own.
  const since = selected.slice(selected.findLastIndex(({ actions }) => actions.compaction) + 1);
  const counted = since.findLast(({ usageMetadata }) => usageMetadata?.promptTokenCount !== undefined);
  return {
    events,
    fresh: events.filter((event) => !covered.has(event)),
    summaries: [...summaries].reverse(),
    promptTokenCount: counted?.usageMetadata?.promptTokenCount,
  };
}

/** What one compaction takes in, and the time its summary will stand for. */
export interface EventsToCompact {
  readonly events: readonly Event[];
  readonly startTimestamp: number;
  readonly endTimestamp: number;
}
