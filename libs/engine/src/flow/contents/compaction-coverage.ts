import { type Event } from '@skein/contracts';
import { isBranchVisible } from './branch-visibility';
import { CompactedRanges } from './compacted-ranges';
import { isVisiblePart } from './visible-part';

/** What the compactions of a history do to it. */
export interface Coverage {
  /** Events that a summary stands for. */
  readonly covered: ReadonlySet<Event>;
  /** Compaction events whose summary counts: no later summary stands for it too. */
  readonly summaries: ReadonlySet<Event>;
}

/**
 * Which events are covered by a summary, in a history seen from a branch. Ranges are of time, both ends included, but
 * time does not order events that share a timestamp, nor those of two runners whose clocks differ. So the place in the
 * log decides too: a compaction covers only what was logged before it, and only a later one replaces it. That a range
 * holds no event before it that its summary leaves out is seen to where the events are chosen (safe-split.ts).
 */
export function coverageOf(events: readonly Event[], viewBranch?: string): Coverage {
  const covered = new Set<Event>();
  const summaries = new Set<Event>();
  const ranges = new CompactedRanges();
  for (const event of events.toReversed()) {
    const range = rangeOf(event);
    if (range && ranges.hold(range, (branch) => replaces(branch, event.branch, viewBranch))) continue;
    if (range) {
      summaries.add(event);
      ranges.add(event.branch, range);
    } else if (
      ranges.hold({ start: event.timestamp, end: event.timestamp }, (branch) =>
        isBranchVisible(event.branch, branch),
      )
    ) {
      covered.add(event);
    }
  }
  return { covered, summaries };
}

/** The range of a compaction that says something; an empty summary must not make history vanish. */
function rangeOf({ actions: { compaction } }: Event): { start: number; end: number } | undefined {
  const says = compaction?.compactedContent.parts?.some((part) => isVisiblePart(part));
  return says ? { start: compaction?.startTimestamp ?? 0, end: compaction?.endTimestamp ?? 0 } : undefined;
}

/**
 * Whether a later summary of one branch says all that an earlier one of another says to this view. A summary made on a
 * branch knows only what is visible there (B3): of the siblings' events it says nothing.
 */
function replaces(
  later: string | undefined,
  earlier: string | undefined,
  viewBranch: string | undefined,
): boolean {
  if (!later || later === viewBranch) return true;
  return Boolean(earlier) && isBranchVisible(earlier, later);
}
