import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** State: its scopes, where it is written, where it is read. */
export const stateCases: readonly ConformanceCase[] = [
  {
    name: 'state_scopes',
    says: 'carries state from turn to turn by scope, and temp: no further than its turn (B56, B57)',
    source:
      rootAgentFile(`agent('root', [says(calls('note')), says('One.'), says(calls('note')), says('Two.')], {
      instruction: 'Seen: {count?} {user:count?} {app:count?} {temp:scratch?}.',
      tools: [tool('note', (_args, { state }) => {
        const keys = ['count', 'user:count', 'app:count', 'temp:scratch'];
        const before = Object.fromEntries(keys.map((key) => [key, state.get(key, 0)]));
        for (const key of keys) state.set(key, before[key] + 1);
        return before;
      })],
    })`),
    steps: [{ say: 'first' }, { say: 'second' }],
    expect: {
      turns: [
        [
          'root: note({})',
          'root: note -> {"count":0,"app:count":0,"user:count":0,"temp:scratch":0} [state {"count":1,"app:count":1,"user:count":1}]',
          'root: One.',
        ],
        [
          'root: note({})',
          'root: note -> {"count":1,"app:count":1,"user:count":1,"temp:scratch":0} [state {"count":2,"app:count":2,"user:count":2}]',
          'root: Two.',
        ],
      ],
      state: { count: 2, 'app:count': 2, 'user:count': 2 },
      instructions: ['Seen:    .', 'Seen: 1 1 1 1.', 'Seen: 1 1 1 .', 'Seen: 2 2 2 1.'].map(
        (seen) => `${seen}\n\nYou are an agent. Your internal name is "root".`,
      ),
    },
  },
  {
    name: 'state_temp_over_agents',
    says: 'keeps temp: for the agents that follow in the invocation, and stores none of it (B56)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        agent('one', [says(calls('note')), says('Noted.')], {
          tools: [tool('note', (_args, { state }) => { state.set('temp:secret', 'xyz'); return 'ok'; })],
        }),
        agent('two', [says('Read.')], { instruction: 'It is {temp:secret}.' }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['one: note({})', 'one: note -> {"result":"ok"}', 'one: Noted.', 'two: Read.']],
      state: {},
      instructions: [
        'You are an agent. Your internal name is "one".',
        'You are an agent. Your internal name is "one".',
        'It is xyz.\n\nYou are an agent. Your internal name is "two".',
      ],
    },
  },
  {
    name: 'state_with_run',
    says: 'takes the state that comes with a message, on the event of the message (B48)',
    source: rootAgentFile(
      `agent('root', [says('Hi.'), says('Ho.')], { instruction: '{lang} {temp:mood?}' })`,
    ),
    steps: [
      { say: 'go', stateDelta: { lang: 'de', 'user:tz': 'CET', 'temp:mood': 'fine' } },
      { say: 'again', stateDelta: { lang: 'fr' } },
    ],
    expect: {
      turns: [['root: Hi.'], ['root: Ho.']],
      stored: [
        'user: go [state {"lang":"de","user:tz":"CET"}]',
        'root: Hi.',
        'user: again [state {"lang":"fr"}]',
        'root: Ho.',
      ],
      state: { lang: 'fr', 'user:tz': 'CET' },
      instructions: [
        'de fine\n\nYou are an agent. Your internal name is "root".',
        'fr \n\nYou are an agent. Your internal name is "root".',
      ],
    },
  },
  {
    name: 'state_patched',
    says: 'reads state that was patched between two turns (B57)',
    source: rootAgentFile(`agent('root', [says('Hi.'), says('Ho.')], { instruction: 'Plan {plan?}.' })`),
    steps: [{ say: 'go' }, { patch: { plan: 'gold', 'app:motd': 'x' } }, { say: 'again' }],
    expect: {
      turns: [['root: Hi.'], ['root: Ho.']],
      stored: [
        'user: go',
        'root: Hi.',
        'user: [state {"plan":"gold","app:motd":"x"}]',
        'user: again',
        'root: Ho.',
      ],
      state: { plan: 'gold', 'app:motd': 'x' },
      asked: [['user: go'], ['user: go', 'model: Hi.', 'user: again']],
    },
  },
  {
    name: 'state_over_sessions',
    says: 'shows app: and user: to the other sessions of a user, and session state to none (B57)',
    source: rootAgentFile(`agent('root', [says(calls('note')), says('One.')], {
      instruction: '{mine?}/{user:ours?}/{app:all?}',
      tools: [tool('note', (_args, { state }) => void state.update({ mine: 1, 'user:ours': 2, 'app:all': 3 }))],
    })`),
    steps: [{ say: 'go' }, { newSession: { mine: 9 } }, { say: 'go' }],
    expect: {
      turns: [
        [
          'root: note({})',
          'root: note -> {"result":null} [state {"mine":1,"app:all":3,"user:ours":2}]',
          'root: One.',
        ],
        [
          'root: note({})',
          'root: note -> {"result":null} [state {"mine":1,"app:all":3,"user:ours":2}]',
          'root: One.',
        ],
      ],
      instructions: ['//', '1/2/3', '9/2/3', '1/2/3'].map(
        (seen) => `${seen}\n\nYou are an agent. Your internal name is "root".`,
      ),
    },
  },
  {
    name: 'state_given_at_creation',
    says: 'begins a session with the state it is created with, by scope (B57)',
    state: { plan: 'free', 'user:name': 'Ada', 'app:version': 3 },
    source: rootAgentFile(
      `agent('root', [says('Hi.')], { instruction: '{user:name} has {plan}, version {app:version}.' })`,
    ),
    steps: [{ say: 'go' }, { newSession: {} }],
    expect: {
      turns: [['root: Hi.']],
      instructions: ['Ada has free, version 3.\n\nYou are an agent. Your internal name is "root".'],
      state: { 'user:name': 'Ada', 'app:version': 3 },
    },
  },
  {
    name: 'state_null',
    says: 'stores a null as a value, which reads as null and shows as nothing (B59)',
    state: { plan: 'gold' },
    source: rootAgentFile(`agent('root', [says(calls('clear')), says('Cleared.')], {
      instruction: '[{plan}]',
      tools: [
        tool('clear', (_args, { state }) => {
          state.set('plan', null);
          return { has: state.has('plan'), value: state.get('plan', 'default'), all: state.toRecord() };
        }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: clear({})',
          'root: clear -> {"all":{"plan":null},"has":true,"value":null} [state {"plan":null}]',
          'root: Cleared.',
        ],
      ],
      state: { plan: null },
      instructions: ['[gold]', '[]'].map(
        (seen) => `${seen}\n\nYou are an agent. Your internal name is "root".`,
      ),
    },
  },
  {
    name: 'state_merged',
    says: 'merges what the calls of one turn write by key, of one key what the later call wrote (B31)',
    source:
      rootAgentFile(`agent('root', [says(calls('set', { k: 'a', ms: 60 }), calls('set', { k: 'b', ms: 0 })), says('Done.')], {
      tools: [
        tool('set', async ({ k, ms }, { state }) => {
          await new Promise((resolve) => setTimeout(resolve, ms));
          state.set(k, true);
          state.set('last', k);
          return { sees: state.get('last') };
        }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: set({"k":"a","ms":60}) + set({"k":"b","ms":0})',
          'root: set -> {"sees":"a"} + set -> {"sees":"b"} [state {"a":true,"b":true,"last":"b"}]',
          'root: Done.',
        ],
      ],
      state: { a: true, b: true, last: 'b' },
    },
  },
  {
    name: 'state_layers',
    says: 'reads the state of the call first, then that of its callbacks, then that of the session (B21)',
    state: { level: 'session', other: 'session' },
    source: rootAgentFile(`agent('root', [says(calls('read')), says('Done.')], {
      tools: [
        tool('read', (_args, { state }) => {
          const seen = [state.get('level'), state.get('other')];
          state.set('level', 'tool');
          return { seen, now: state.get('level') };
        }),
      ],
      beforeToolCallback: ({ context }) => void context.state.set('level', 'callback'),
      afterToolCallback: ({ context, response }) => ({ ...response, after: context.state.get('level') }),
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: read({})',
          'root: read -> {"now":"tool","seen":["callback","session"],"after":"tool"} [state {"level":"tool"}]',
          'root: Done.',
        ],
      ],
    },
  },
  {
    name: 'metadata_of_run',
    says: 'stamps every event of a run with the metadata of its request, the message too (B48)',
    source: rootAgentFile(
      `agent('root', [says(calls('f')), says('Done.'), says('Next.')], { tools: [tool('f', () => 1)] })`,
    ),
    steps: [{ say: 'go', customMetadata: { trace: 'x' } }, { say: 'next' }],
    expect: {
      turns: [
        [
          'root: f({}) [metadata {"trace":"x"}]',
          'root: f -> {"result":1} [metadata {"trace":"x"}]',
          'root: Done. [metadata {"trace":"x"}]',
        ],
        ['root: Next.'],
      ],
      stored: [
        'user: go [metadata {"trace":"x"}]',
        'root: f({}) [metadata {"trace":"x"}]',
        'root: f -> {"result":1} [metadata {"trace":"x"}]',
        'root: Done. [metadata {"trace":"x"}]',
        'user: next',
        'root: Next.',
      ],
    },
  },
];
