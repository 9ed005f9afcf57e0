import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** What of the history a model is shown. */
export const contentsCases: readonly ConformanceCase[] = [
  {
    name: 'contents_none',
    says: 'shows an agent without history the current turn only, with its calls (B10)',
    source: rootAgentFile(`agent('root', [says('One.'), says(calls('f')), says('Two.')], {
      includeContents: 'none', tools: [tool('f', () => 1)],
    })`),
    steps: [{ say: 'first' }, { say: 'second' }],
    expect: {
      turns: [['root: One.'], ['root: f({})', 'root: f -> {"result":1}', 'root: Two.']],
      asked: [['user: first'], ['user: second'], ['user: second', 'model: f({})', 'user: f -> {"result":1}']],
    },
  },
  {
    name: 'contents_none_in_sequence',
    says: 'begins the turn of an agent without history with what another agent said last (B4, B10)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [agent('one', [says('1'), says('1b')]), agent('two', [says('2'), says('2b')], { includeContents: 'none' })],
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [
        ['one: 1', 'two: 2'],
        ['one: 1b', 'two: 2b'],
      ],
      asked: [
        ['user: go'],
        ['user: For context: + [one] said: 1'],
        ['user: go', 'model: 1', 'user: For context: + [two] said: 2', 'user: again'],
        ['user: For context: + [one] said: 1b'],
      ],
    },
  },
  {
    name: 'contents_none_after_transfer',
    says: 'does not begin the turn of an agent without history with the hand-over to it (B10)',
    source:
      rootAgentFile(`agent('root', [says('Hello.'), says(calls('transfer_to_agent', { agentName: 'child' }))], {
      subAgents: [agent('child', [says('Mine.')], { includeContents: 'none' })],
    })`),
    steps: [{ say: 'hi' }, { say: 'go' }],
    expect: {
      turns: [
        ['root: Hello.'],
        [
          'root: transfer_to_agent({"agentName":"child"})',
          'root: transfer_to_agent -> {"result":null} [to child]',
          'child: Mine.',
        ],
      ],
      asked: [
        ['user: hi'],
        ['user: hi', 'model: Hello.', 'user: go'],
        [
          'user: go',
          'user: For context: + [root] called tool `transfer_to_agent` with parameters: {"agentName":"child"}',
          'user: For context: + [root] `transfer_to_agent` tool returned result: {"result":null}',
        ],
      ],
    },
  },
  {
    name: 'contents_empty',
    says: 'leaves out what says nothing: thoughts alone, white space, errors (B2)',
    source: rootAgentFile(`agent('root', [
      says(thinks('Hm.')), says('  '), { errorCode: 'SAFETY', errorMessage: 'No.' },
    ])`),
    steps: [{ say: 'one' }, { say: 'two' }, { say: 'three' }, { say: 'four' }],
    expect: {
      turns: [['root: (Hm.)'], ['root:'], ['root: [error SAFETY]'], ['root: [error SAFETY]']],
      asked: [
        ['user: one'],
        ['user: one', 'user: two'],
        ['user: one', 'user: two', 'user: three'],
        ['user: one', 'user: two', 'user: three', 'user: four'],
      ],
    },
  },
  {
    name: 'contents_thinking_call',
    says: 'keeps a call although it is marked as a thought (B2)',
    source: rootAgentFile(`agent('root', [says({ ...calls('f'), thought: true }), says('Done.')], {
      tools: [tool('f', () => 1)],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: f({})', 'root: f -> {"result":1}', 'root: Done.']],
      asked: [['user: go'], ['user: go', 'model: f({})', 'user: f -> {"result":1}']],
    },
  },
  {
    name: 'contents_foreign_tools',
    says: 'tells an agent in words what tools another one called (B4)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        agent('one', [says('Let me see.', calls('f', { n: 1 })), says('It is 2.')], { tools: [tool('f', ({ n }) => ({ n: n + 1 }))] }),
        agent('two', [says('Good.')]),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['one: Let me see. + f({"n":1})', 'one: f -> {"n":2}', 'one: It is 2.', 'two: Good.']],
      asked: [
        ['user: go'],
        ['user: go', 'model: Let me see. + f({"n":1})', 'user: f -> {"n":2}'],
        [
          'user: go',
          'user: For context: + [one] said: Let me see. + [one] called tool `f` with parameters: {"n":1}',
          'user: For context: + [one] `f` tool returned result: {"n":2}',
          'user: For context: + [one] said: It is 2.',
        ],
      ],
    },
  },
  {
    name: 'contents_foreign_thoughts',
    says: 'keeps the thoughts of an agent from the others, and passes its files on (B4)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        agent('thinker', [says(thinks('Secret.'))]),
        agent('painter', [says(thinks('Hm.'), 'A picture:', { inlineData: { mimeType: 'image/png', data: 'aGk=' } })]),
        agent('viewer', [says('Nice.')]),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'thinker: (Secret.)',
          'painter: (Hm.) + A picture: + {"inlineData":{"data":"aGk=","mimeType":"image/png"}}',
          'viewer: Nice.',
        ],
      ],
      asked: [
        ['user: go'],
        ['user: go'],
        [
          'user: go',
          'user: For context: + [painter] said: A picture: + {"inlineData":{"data":"aGk=","mimeType":"image/png"}}',
        ],
      ],
    },
  },
  {
    name: 'contents_own_in_turns',
    says: 'shows an agent its own words as its own and those of its peer as told, over turns (B4, B11)',
    source: rootAgentFile(`agent('root', [says(calls('transfer_to_agent', { agentName: 'child' }))], {
      subAgents: [
        agent('child', [says('One.'), says(calls('transfer_to_agent', { agentName: 'root' }))], {
          afterAgentCallback: ({ state }) => (state.has('once') ? undefined : (state.set('once', 1), spoken('One more.'))),
        }),
      ],
      beforeModelCallback: ({ request }) => (request.contents.length > 6 ? says('Back.') : undefined),
    })`),
    steps: [{ say: 'go' }, { say: 'back' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"child"})',
          'root: transfer_to_agent -> {"result":null} [to child]',
          'child: One.',
          'child: One more. [state {"once":1}]',
        ],
        [
          'child: transfer_to_agent({"agentName":"root"})',
          'child: transfer_to_agent -> {"result":null} [to root]',
          'root: Back.',
        ],
      ],
      asked: [
        ['user: go'],
        [
          'user: go',
          'user: For context: + [root] called tool `transfer_to_agent` with parameters: {"agentName":"child"}',
          'user: For context: + [root] `transfer_to_agent` tool returned result: {"result":null}',
        ],
        [
          'user: go',
          'user: For context: + [root] called tool `transfer_to_agent` with parameters: {"agentName":"child"}',
          'user: For context: + [root] `transfer_to_agent` tool returned result: {"result":null}',
          'model: One.',
          'model: One more.',
          'user: back',
        ],
      ],
    },
  },
];
