import { type Content, type Event, type UsageMetadata } from '@skein/contracts';

export interface SummarizeEventsRequest {
  /** In order; the first ones may be earlier summaries, whose gist the new one has to keep. */
  readonly events: readonly Event[];
  /** How many summaries the session has; a scripted model answers by it. */
  readonly ordinal: number;
  readonly signal: AbortSignal;
}

export interface EventsSummary {
  readonly compactedContent: Content;
  readonly usageMetadata?: UsageMetadata | undefined;
}

const MARKER: unique symbol = Symbol.for('skein.BaseEventsSummarizer');

/** Whether a value is a summarizer, also when it came from another copy of this package. */
export function isBaseEventsSummarizer(value: unknown): value is BaseEventsSummarizer {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** Port to whatever makes one content of many events. */
export abstract class BaseEventsSummarizer {
  readonly [MARKER] = true;

  /**
   * Says what the events came to, or nothing to leave them as they are. Throwing leaves them too, until the next time.
   * Which events, and what time the summary stands for, is not its business.
   */
  abstract maybeSummarizeEvents(request: SummarizeEventsRequest): Promise<EventsSummary | undefined>;
}
