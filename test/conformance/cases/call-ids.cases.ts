import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** Ids of calls: missing, and used more than once. */
export const callIdCases: readonly ConformanceCase[] = [
  {
    name: 'ids_over_turns',
    says: 'pairs calls and responses where a model uses one id in every round (B6, B7)',
    source:
      rootAgentFile(`agent('root', [says(calls('f', { n: 1 }, 'c')), says(calls('f', { n: 2 }, 'c')), says('Done.'), says(calls('f', { n: 3 }, 'c')), says('Again.')], {
      tools: [tool('f', ({ n }) => n * 10)],
    })`),
    steps: [{ say: 'go' }, { say: 'more' }, { newSession: {} }, { say: 'other' }],
    expect: {
      turns: [
        [
          'root: f({"n":1})',
          'root: f -> {"result":10}',
          'root: f({"n":2})',
          'root: f -> {"result":20}',
          'root: Done.',
        ],
        ['root: f({"n":3})', 'root: f -> {"result":30}', 'root: Again.'],
        [
          'root: f({"n":1})',
          'root: f -> {"result":10}',
          'root: f({"n":2})',
          'root: f -> {"result":20}',
          'root: Done.',
        ],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: f({"n":1})', 'user: f -> {"result":10}'],
        [
          'user: go',
          'model: f({"n":1})',
          'user: f -> {"result":10}',
          'model: f({"n":2})',
          'user: f -> {"result":20}',
        ],
        [
          'user: go',
          'model: f({"n":1})',
          'user: f -> {"result":10}',
          'model: f({"n":2})',
          'user: f -> {"result":20}',
          'model: Done.',
          'user: more',
        ],
        [
          'user: go',
          'model: f({"n":1})',
          'user: f -> {"result":10}',
          'model: f({"n":2})',
          'user: f -> {"result":20}',
          'model: Done.',
          'user: more',
          'model: f({"n":3})',
          'user: f -> {"result":30}',
        ],
        ['user: other'],
        ['user: other', 'model: f({"n":1})', 'user: f -> {"result":10}'],
        [
          'user: other',
          'model: f({"n":1})',
          'user: f -> {"result":10}',
          'model: f({"n":2})',
          'user: f -> {"result":20}',
        ],
      ],
    },
  },
  {
    name: 'ids_given',
    says: 'gives calls without an id one of its own, which their tools and responses have too (B9)',
    source: rootAgentFile(`agent('root', [says(calls('f'), calls('g', {}, 'mine')), says('Done.')], {
      tools: [
        tool('f', (_args, context) => ({ id: context.functionCallId.slice(0, 4) })),
        tool('g', (_args, context) => ({ id: context.functionCallId })),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['root: f({}) + g({})', 'root: f -> {"id":"adk-"} + g -> {"id":"mine"}', 'root: Done.']],
    },
  },
  {
    name: 'ids_in_turn',
    says: 'runs both calls of a turn that share an id, and shows the model both responses in their order (B6, B26)',
    source:
      rootAgentFile(`agent('root', [says(calls('f', { n: 1 }, 'c'), calls('f', { n: 2 }, 'c')), says('Done.'), says('Bye.')], {
      tools: [tool('f', ({ n }) => n * 10)],
    })`),
    steps: [{ say: 'go' }, { say: 'bye' }],
    expect: {
      turns: [
        ['root: f({"n":1}) + f({"n":2})', 'root: f -> {"result":10} + f -> {"result":20}', 'root: Done.'],
        ['root: Bye.'],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: f({"n":1}) + f({"n":2})', 'user: f -> {"result":10} + f -> {"result":20}'],
        [
          'user: go',
          'model: f({"n":1}) + f({"n":2})',
          'user: f -> {"result":10} + f -> {"result":20}',
          'model: Done.',
          'user: bye',
        ],
      ],
    },
  },
];
