import { AdkError } from '@skein/contracts';
import { type BaseEventsSummarizer, isBaseEventsSummarizer } from './base-events-summarizer';

/** When an app has older events of a session summarised; the events themselves stay stored. */
export interface EventsCompactionConfig {
  /** Writes the summaries; the root agent's model does when absent. */
  readonly summarizer?: BaseEventsSummarizer;
  /** After so many new invocations they are summarised. */
  readonly compactionInterval: number;
  /** So many invocations before the new ones are summarised with them again, to keep the thread. */
  readonly overlapSize: number;
  /** Before a model call whose last prompt had so many tokens, all but the latest events are summarised. */
  readonly tokenThreshold?: number;
  /** How many of the latest events a token threshold leaves as they are. */
  readonly eventRetentionSize?: number;
}

/** Throws `compaction.config` with everything that is wrong. */
export function assertEventsCompactionConfig(config: EventsCompactionConfig): void {
  const { summarizer, compactionInterval, overlapSize, tokenThreshold, eventRetentionSize } = config;
  const reasons = [
    ...atLeast(1, 'compactionInterval', compactionInterval),
    ...atLeast(0, 'overlapSize', overlapSize),
    ...(tokenThreshold === undefined ? [] : atLeast(1, 'tokenThreshold', tokenThreshold)),
    ...(eventRetentionSize === undefined ? [] : atLeast(0, 'eventRetentionSize', eventRetentionSize)),
  ];
  if ((tokenThreshold === undefined) !== (eventRetentionSize === undefined)) {
    reasons.push('tokenThreshold and eventRetentionSize go together');
  }
  if (summarizer !== undefined && !isBaseEventsSummarizer(summarizer)) {
    reasons.push('summarizer is not a BaseEventsSummarizer');
  }
  if (reasons.length > 0) {
    throw new AdkError('invalid', 'compaction.config', `Events compaction: ${reasons.join('; ')}.`);
  }
}

function atLeast(least: number, name: string, value: number): string[] {
  return Number.isInteger(value) && value >= least ? [] : [`${name} must be an integer of at least ${least}`];
}
