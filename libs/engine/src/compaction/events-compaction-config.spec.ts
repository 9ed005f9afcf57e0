import { FakeLlm } from '@skein/testing';
import { assertEventsCompactionConfig, type EventsCompactionConfig } from './events-compaction-config';
import { LlmEventSummarizer } from './llm-event-summarizer';

const window: EventsCompactionConfig = { compactionInterval: 2, overlapSize: 0 };

describe('assertEventsCompactionConfig', () => {
  it.each<[string, EventsCompactionConfig]>([
    ['a window', window],
    ['a threshold beside it', { ...window, tokenThreshold: 1, eventRetentionSize: 0 }],
    ['a summarizer', { ...window, summarizer: new LlmEventSummarizer({ llm: new FakeLlm([]) }) }],
  ])('takes %s', (_what, config) => {
    expect(() => {
      assertEventsCompactionConfig(config);
    }).not.toThrow();
  });

  it.each<[string, Partial<EventsCompactionConfig>, string]>([
    [
      'an interval of nothing',
      { compactionInterval: 0 },
      'compactionInterval must be an integer of at least 1',
    ],
    ['half an invocation', { compactionInterval: 1.5 }, 'compactionInterval must be'],
    ['a negative overlap', { overlapSize: -1 }, 'overlapSize must be an integer of at least 0'],
    ['a threshold of nothing', { tokenThreshold: 0, eventRetentionSize: 1 }, 'tokenThreshold must be'],
    ['a negative retention', { tokenThreshold: 1, eventRetentionSize: -1 }, 'eventRetentionSize must be'],
    ['a threshold alone', { tokenThreshold: 1 }, 'tokenThreshold and eventRetentionSize go together'],
    ['a retention alone', { eventRetentionSize: 1 }, 'tokenThreshold and eventRetentionSize go together'],
    ['no summarizer', { summarizer: {} as never }, 'summarizer is not a BaseEventsSummarizer'],
  ])('refuses %s', (_what, wrong, reason) => {
    expect(() => {
      assertEventsCompactionConfig({ ...window, ...wrong });
    }).toThrow(
      expect.objectContaining({ code: 'compaction.config', message: expect.stringContaining(reason) }),
    );
  });

  it('names everything that is wrong', () => {
    expect(() => {
      assertEventsCompactionConfig({ compactionInterval: 0, overlapSize: -1 });
    }).toThrow(/compactionInterval.*; overlapSize/);
  });
});
