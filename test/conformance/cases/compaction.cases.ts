import { appFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** Summarises by telling how many events there were, and who spoke first. */
const COUNTS = `
class Counts extends BaseEventsSummarizer {
  async maybeSummarizeEvents({ events }) {
    const [first] = events;
    return { compactedContent: spoken(events.length + ' events since ' + first.content.parts[0].text) };
  }
}`;

/** Histories that are summarised as they grow. */
export const compactionCases: readonly ConformanceCase[] = [
  {
    name: 'compaction',
    says: 'summarises every two invocations after the last event, and shows the model the summary instead (B8, B52)',
    source: appFile(
      `rootAgent: agent('root', [says('One.'), says('Two.'), says('Three.')]),
       eventsCompactionConfig: { summarizer: new Counts(), compactionInterval: 2, overlapSize: 0 }`,
      COUNTS,
    ),
    steps: [{ say: 'first' }, { say: 'second' }, { say: 'third' }],
    expect: {
      turns: [['root: One.'], ['root: Two.'], ['root: Three.']],
      stored: [
        'user: first',
        'root: One.',
        'user: second',
        'root: Two.',
        'user: [compacts to 4 events since first]',
        'user: third',
        'root: Three.',
      ],
      asked: [
        ['user: first'],
        ['user: first', 'model: One.', 'user: second'],
        ['model: 4 events since first', 'user: third'],
      ],
    },
  },
  {
    name: 'compaction_overlap',
    says: 'takes as many invocations before the new ones along as are to overlap (B8)',
    source: appFile(
      `rootAgent: agent('root', [says('One.'), says('Two.'), says('Three.')]),
       eventsCompactionConfig: { summarizer: new Counts(), compactionInterval: 1, overlapSize: 1 }`,
      COUNTS,
    ),
    steps: [{ say: 'first' }, { say: 'second' }, { say: 'third' }],
    expect: {
      turns: [['root: One.'], ['root: Two.'], ['root: Three.']],
      stored: [
        'user: first',
        'root: One.',
        'user: [compacts to 2 events since first]',
        'user: second',
        'root: Two.',
        'user: [compacts to 4 events since first]',
        'user: third',
        'root: Three.',
        'user: [compacts to 4 events since second]',
      ],
    },
  },
  {
    name: 'compaction_by_tokens',
    says: 'summarises all but the latest events before a request that has grown too long (B8)',
    source: appFile(
      `rootAgent: agent('root', [
         { ...says('One.'), usageMetadata: { promptTokenCount: 10 } }, { ...says('Two.'), usageMetadata: { promptTokenCount: 500 } }, says('Three.'),
       ]),
       eventsCompactionConfig: { summarizer: new Counts(), compactionInterval: 100, overlapSize: 0, tokenThreshold: 400, eventRetentionSize: 1 }`,
      COUNTS,
    ),
    steps: [{ say: 'first' }, { say: 'second' }, { say: 'third' }],
    expect: {
      turns: [['root: One.'], ['root: Two.'], ['root: Three.']],
      asked: [
        ['user: first'],
        ['user: first', 'model: One.', 'user: second'],
        ['model: 4 events since first', 'user: third'],
      ],
      stored: [
        'user: first',
        'root: One.',
        'user: second',
        'root: Two.',
        'user: third',
        'user: [compacts to 4 events since first]',
        'root: Three.',
      ],
    },
  },
  {
    name: 'compaction_with_call',
    says: 'shows a summarised call again when it is answered late (B8)',
    source: appFile(
      `rootAgent: agent('root', [says(calls('wait', {}, 'w')), says('Meanwhile.'), says('And?'), says('Thanks.')], {
         tools: [new LongRunningFunctionTool({ name: 'wait', description: 'Waits.', execute: () => ({ status: 'pending' }) })],
       }),
       eventsCompactionConfig: { summarizer: new Counts(), compactionInterval: 2, overlapSize: 0 }`,
      COUNTS,
    ),
    steps: [{ say: 'go' }, { say: 'more' }, { answer: { call: 'wait', response: { status: 'done' } } }],
    expect: {
      turns: [
        ['root: wait({}) [waits]', 'root: wait -> {"status":"pending"}', 'root: Meanwhile.'],
        ['root: And?'],
        ['root: Thanks.'],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: wait({})', 'user: wait -> {"status":"pending"}'],
        [
          'user: go',
          'model: wait({})',
          'user: wait -> {"status":"pending"}',
          'model: Meanwhile.',
          'user: more',
        ],
        ['model: 6 events since go', 'model: wait({})', 'user: wait -> {"status":"done"}'],
      ],
    },
  },
  {
    name: 'compaction_fails',
    says: 'goes on without a summary when the summariser fails (B8)',
    source: appFile(
      `rootAgent: agent('root', [says('One.'), says('Two.')]),
       eventsCompactionConfig: { summarizer: new Fails(), compactionInterval: 1, overlapSize: 0 }`,
      `
class Fails extends BaseEventsSummarizer {
  async maybeSummarizeEvents() { throw new Error('no time'); }
}`,
    ),
    steps: [{ say: 'first' }, { say: 'second' }],
    expect: {
      turns: [['root: One.'], ['root: Two.']],
      stored: ['user: first', 'root: One.', 'user: second', 'root: Two.'],
    },
  },
];
