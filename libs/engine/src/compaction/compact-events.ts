import { type Attributes } from '@opentelemetry/api';
import { AdkError, type Event, type EventCompaction, type UsageMetadata } from '@skein/contracts';
import { readContent } from '../agent/read-content';
import { type BaseLlm } from '../model/base-llm';
import { traced } from '../telemetry/trace';
import { type BaseEventsSummarizer } from './base-events-summarizer';
import { compactableHistory, type CompactableHistory, type EventsToCompact } from './compactable-history';
import { type EventsCompactionConfig } from './events-compaction-config';
import { LlmEventSummarizer } from './llm-event-summarizer';
import { slidingWindow } from './sliding-window';
import { tokenThreshold } from './token-threshold';

export interface CompactEventsRequest {
  readonly config: EventsCompactionConfig;
  /** The session's, all of them. */
  readonly events: readonly Event[];
  /** Writes the summary when the config names no summarizer. */
  readonly model?: BaseLlm | undefined;
  /** Where the events are seen from; the compaction's event has to be of the same branch. */
  readonly branch?: string | undefined;
  readonly isolationScope?: string | undefined;
  readonly signal: AbortSignal;
  /** Whose run it is done for, if it is done for one. */
  readonly invocationId?: string;
}

/** What the event of a compaction is made of. Its author is the user, as in adk-python; it says nothing itself. */
export interface CompactionEventParams {
  readonly author: 'user';
  readonly actions: { readonly compaction: EventCompaction };
  /** Of the call that wrote the summary. */
  readonly usageMetadata?: UsageMetadata;
  readonly isolationScope?: string;
}

/** Which events are due: `sliding-window` after a finished run (B52), `token-threshold` before a model call. */
export type CompactionPolicy = 'sliding-window' | 'token-threshold';

const policies: Readonly<
  Record<
    CompactionPolicy,
    (history: CompactableHistory, config: EventsCompactionConfig) => EventsToCompact | undefined
  >
> = { 'sliding-window': slidingWindow, 'token-threshold': tokenThreshold };

/** The events to be summarised now, if any. */
export function eventsDue(
  policy: CompactionPolicy,
  request: Pick<CompactEventsRequest, 'config' | 'events' | 'branch' | 'isolationScope'>,
): EventsToCompact | undefined {
  return policies[policy](compactableHistory(request.events, request), request.config);
}

/**
 * The event that summarises what is due, or nothing: when nothing is, or when the summarizer had nothing to say or
 * failed. Throws `compaction.no-summarizer`, and the signal's reason when it aborts.
 */
export async function compactEvents(
  policy: CompactionPolicy,
  request: CompactEventsRequest,
): Promise<CompactionEventParams | undefined> {
  const due = eventsDue(policy, request);
  if (!due) return undefined;
  const summarizer = summarizerOf(request);
  try {
    return await traced('compact_events', attributesOf(request), () => summarize(due, summarizer, request));
  } catch {
    request.signal.throwIfAborted();
    // A conversation goes on without its summary, and the next occasion asks again; the span has the reason.
    return undefined;
  }
}

function attributesOf({ invocationId }: CompactEventsRequest): Attributes {
  return invocationId === undefined ? {} : { 'gcp.vertex.agent.invocation_id': invocationId };
}

async function summarize(
  { events, startTimestamp, endTimestamp }: EventsToCompact,
  summarizer: BaseEventsSummarizer,
  { events: all, isolationScope, signal }: CompactEventsRequest,
): Promise<CompactionEventParams | undefined> {
  const ordinal = all.filter(({ actions }) => actions.compaction).length;
  const summary = await summarizer.maybeSummarizeEvents({ events, ordinal, signal });
  if (!summary) return undefined;
  const { usageMetadata } = summary;
  // A summarizer is an author's: what no event can hold would be refused by the store, and the run with it.
  const compactedContent = readContent(summary.compactedContent, 'model');
  return {
    author: 'user',
    actions: { compaction: { startTimestamp, endTimestamp, compactedContent } },
    ...(usageMetadata && { usageMetadata }),
    ...(isolationScope !== undefined && { isolationScope }),
  };
}

function summarizerOf({ config, model }: CompactEventsRequest): BaseEventsSummarizer {
  if (config.summarizer) return config.summarizer;
  if (model) return new LlmEventSummarizer({ llm: model });
  throw new AdkError(
    'invalid',
    'compaction.no-summarizer',
    'Events compaction needs a summarizer, since the root agent has no model to write summaries.',
  );
}
