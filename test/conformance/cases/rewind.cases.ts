import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** An agent that takes note of what its user says, in state and in an artifact. */
const NOTES = `
const notes = (...responses) => agent('root', responses, {
  beforeAgentCallback: async (context) => {
    const { text } = context.userContent.parts[0];
    context.state.set('said', text);
    context.state.set('on_' + text, true);
    context.state.set('user:said', text);
    await context.saveArtifact('said.txt', { text });
    if (text === 'two') await context.saveArtifact('two.txt', { text });
  },
});`;

/** Turns that are taken back. */
export const rewindCases: readonly ConformanceCase[] = [
  {
    name: 'rewind',
    says: 'shows the model nothing of the invocations that were taken back (B1, B55)',
    source: rootAgentFile(`agent('root', [says('One.'), says('Two.'), says('Three.'), says('Four.')])`),
    steps: [{ say: 'first' }, { say: 'second' }, { say: 'third' }, { rewind: 1 }, { say: 'other' }],
    expect: {
      turns: [['root: One.'], ['root: Two.'], ['root: Three.'], ['root: Four.']],
      stored: [
        'user: first',
        'root: One.',
        'user: second',
        'root: Two.',
        'user: third',
        'root: Three.',
        'user: [rewinds]',
        'user: other',
        'root: Four.',
      ],
      asked: [
        ['user: first'],
        ['user: first', 'model: One.', 'user: second'],
        ['user: first', 'model: One.', 'user: second', 'model: Two.', 'user: third'],
        ['user: first', 'model: One.', 'user: other'],
      ],
    },
  },
  {
    name: 'rewind_state',
    says: 'restores session state and artifacts, and leaves those of the user as they are (B55)',
    source: rootAgentFile(`notes(says('1'), says('2'))`, NOTES),
    steps: [{ say: 'one' }, { say: 'two' }, { rewind: 1 }],
    expect: {
      turns: [
        [
          'root: [state {"said":"one","on_one":true,"user:said":"one"}] [artifacts {"said.txt":0}]',
          'root: 1',
        ],
        [
          'root: [state {"said":"two","on_two":true,"user:said":"two"}] [artifacts {"two.txt":0,"said.txt":1}]',
          'root: 2',
        ],
      ],
      stored: [
        'user: one',
        'root: [state {"said":"one","on_one":true,"user:said":"one"}] [artifacts {"said.txt":0}]',
        'root: 1',
        'user: two',
        'root: [state {"said":"two","on_two":true,"user:said":"two"}] [artifacts {"two.txt":0,"said.txt":1}]',
        'root: 2',
        'user: [state {"said":"one","on_two":null}] [artifacts {"two.txt":1,"said.txt":2}] [rewinds]',
      ],
      state: { said: 'one', on_one: true, on_two: null, 'user:said': 'two' },
    },
  },
  {
    name: 'rewind_artifacts',
    says: 'loads an artifact as it was before, and nothing of one that was not there (B55, B60)',
    source: rootAgentFile(
      `notes(says('1'), says('2'), says(calls('read')), says('Done.'))`,
      NOTES.replace(
        '  },\n});',
        `  },
  tools: [
    tool('read', async (_args, context) => {
      const names = ['said.txt', 'two.txt'];
      const now = await Promise.all(names.map((name) => context.loadArtifact(name)));
      const before = await context.loadArtifact('said.txt', 2);
      return { now: now.map((part) => part?.text ?? null), before: before?.text ?? null };
    }),
  ],
});`,
      ),
    ),
    steps: [{ say: 'one' }, { say: 'two' }, { rewind: 1 }, { say: 'three' }],
    expect: {
      turns: [
        [
          'root: [state {"said":"one","on_one":true,"user:said":"one"}] [artifacts {"said.txt":0}]',
          'root: 1',
        ],
        [
          'root: [state {"said":"two","on_two":true,"user:said":"two"}] [artifacts {"two.txt":0,"said.txt":1}]',
          'root: 2',
        ],
        [
          'root: [state {"said":"three","on_three":true,"user:said":"three"}] [artifacts {"said.txt":3}]',
          'root: read({})',
          'root: read -> {"now":["three",null],"before":"one"}',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'rewind_all',
    says: 'takes back everything from the first invocation on, and begins anew (B1, B55)',
    state: { plan: 'free' },
    source: rootAgentFile(`agent('root', [says(calls('upgrade')), says('Done.'), says('Hello.')], {
      instruction: '{plan}',
      tools: [tool('upgrade', (_args, { state }) => state.set('plan', 'gold'))],
    })`),
    steps: [{ say: 'upgrade' }, { rewind: 0 }, { say: 'hi' }],
    expect: {
      turns: [
        ['root: upgrade({})', 'root: upgrade -> {"result":null} [state {"plan":"gold"}]', 'root: Done.'],
        ['root: Hello.'],
      ],
      asked: [
        ['user: upgrade'],
        ['user: upgrade', 'model: upgrade({})', 'user: upgrade -> {"result":null}'],
        ['user: hi'],
      ],
      state: { plan: 'free' },
    },
  },
  {
    name: 'rewind_waiting',
    says: 'takes back an invocation that waits, whose call can no longer be answered for it (B1, B55)',
    source: rootAgentFile(`agent('root', [says('Hi.'), says(calls('wait', {}, 'w')), says('Hello again.')], {
      tools: [new LongRunningFunctionTool({ name: 'wait', description: 'Waits.', execute: () => null })],
    })`),
    steps: [
      { say: 'hi' },
      { say: 'wait' },
      { rewind: 1 },
      { answer: { call: 'wait', response: { done: true } } },
      { say: 'again' },
    ],
    expect: {
      turns: [
        ['root: Hi.'],
        ['root: wait({}) [waits]'],
        [
          'failed message.unmatched-response: Function call not found for function response ids: w. Each must have the id and the name of a call in the session.',
        ],
        ['root: Hello again.'],
      ],
      asked: [
        ['user: hi'],
        ['user: hi', 'model: Hi.', 'user: wait'],
        ['user: hi', 'model: Hi.', 'user: again'],
      ],
    },
  },
];
