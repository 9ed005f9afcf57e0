import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** Agents side by side. */
export const parallelCases: readonly ConformanceCase[] = [
  {
    name: 'parallel',
    says: 'runs agents side by side, none seeing what the others say (B3, B43)',
    unordered: true,
    source: rootAgentFile(`new ParallelAgent({
      name: 'fan',
      subAgents: [agent('a', [says('A.'), says('A again.')]), agent('b', [says('B.'), says('B again.')])],
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [
        ['a@fan.a: A.', 'b@fan.b: B.'],
        ['a@fan.a: A again.', 'b@fan.b: B again.'],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: A.', 'user: again'],
        ['user: go'],
        ['user: go', 'model: B.', 'user: again'],
      ],
    },
  },
  {
    name: 'parallel_prefixes',
    says: 'keeps agents apart whose names begin alike (B3)',
    unordered: true,
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        new ParallelAgent({ name: 'p', subAgents: [agent('child', [says('one')]), agent('child000', [says('two')])] }),
      ],
    })`),
    steps: [{ say: 'go' }, { say: 'exhausted now' }],
    expect: {
      turns: [
        ['child@p.child: one', 'child000@p.child000: two'],
        ['child@p.child: [error SCRIPT_EXHAUSTED]', 'child000@p.child000: [error SCRIPT_EXHAUSTED]'],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: one', 'user: exhausted now'],
        ['user: go'],
        ['user: go', 'model: two', 'user: exhausted now'],
      ],
    },
  },
  {
    name: 'parallel_then_merged',
    says: 'shows all branches to an agent behind them (B3, B4, B43)',
    unordered: true,
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        new ParallelAgent({
          name: 'fan',
          subAgents: [agent('a', [says('A.')]), agent('b', [{ delayMs: 400, response: says('B.') }])],
        }),
        agent('merger', [says('A and B.')]),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['merger: A and B.', 'a@fan.a: A.', 'b@fan.b: B.']],
      asked: [
        ['user: go'],
        ['user: go'],
        ['user: go', 'user: For context: + [a] said: A.', 'user: For context: + [b] said: B.'],
      ],
    },
  },
  {
    name: 'parallel_nested',
    says: 'gives agents below parallel ones a branch of every level, and those in a row one branch (B3, B43)',
    unordered: true,
    source: rootAgentFile(`new ParallelAgent({
      name: 'outer',
      subAgents: [
        new SequentialAgent({
          name: 'row',
          subAgents: [
            agent('first', [says('1')]),
            new ParallelAgent({ name: 'inner', subAgents: [agent('x', [says('X')]), agent('y', [says('Y')])] }),
          ],
        }),
        agent('z', [says('Z')]),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['first@outer.row: 1', 'x@outer.row.inner.x: X', 'y@outer.row.inner.y: Y', 'z@outer.z: Z']],
      asked: [
        ['user: go'],
        ['user: go', 'user: For context: + [first] said: 1'],
        ['user: go', 'user: For context: + [first] said: 1'],
        ['user: go'],
      ],
    },
  },
  {
    name: 'parallel_keys',
    says: 'keeps the answers of all branches in state (B43, B44)',
    unordered: true,
    source: rootAgentFile(`new ParallelAgent({
      name: 'fan',
      subAgents: [
        agent('a', [says('A.')], { outputKey: 'fromA' }),
        agent('b', [says('B.')], { outputKey: 'fromB' }),
        agent('c', [says('C.')], { outputKey: 'user:fromC' }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'a@fan.a: A. [state {"fromA":"A."}]',
          'b@fan.b: B. [state {"fromB":"B."}]',
          'c@fan.c: C. [state {"user:fromC":"C."}]',
        ],
      ],
      state: { fromA: 'A.', fromB: 'B.', 'user:fromC': 'C.' },
    },
  },
  {
    name: 'parallel_tools',
    says: 'runs the tools of all branches, each answered in its own (B3, B26, B43)',
    unordered: true,
    source: rootAgentFile(
      `new ParallelAgent({
        name: 'fan',
        subAgents: ['a', 'b'].map((name) => agent(name, [says(calls('f', { of: name })), says('Done.')], { tools: [f()] })),
      })`,
      `
const f = () => tool('f', ({ of }) => 'from ' + of);`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'a@fan.a: f({"of":"a"})',
          'a@fan.a: f -> {"result":"from a"}',
          'a@fan.a: Done.',
          'b@fan.b: f({"of":"b"})',
          'b@fan.b: f -> {"result":"from b"}',
          'b@fan.b: Done.',
        ],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'model: f({"of":"a"})', 'user: f -> {"result":"from a"}'],
        ['user: go'],
        ['user: go', 'model: f({"of":"b"})', 'user: f -> {"result":"from b"}'],
      ],
    },
  },
  {
    name: 'parallel_failure',
    says: 'ends the agents beside one that fails, and the session can go on (B23, B43)',
    source: rootAgentFile(
      `new ParallelAgent({
      name: 'fan',
      subAgents: [
        new CustomAgent({
          name: 'broken',
          async *run({ session }) {
            if (session.events.length === 1) {
              await otherIsAtWork;
              throw new RangeError('too far');
            }
            yield createEvent({ author: 'broken', content: spoken('Mended.') });
          },
        }),
        agent('slow', undefined, {
          model: new Endless({ model: 'endless' }),
          beforeModelCallback: ({ request }) => (request.contents.length > 1 ? says('Quick now.') : undefined),
        }),
      ],
    })`,
      `
let isAtWork;
const otherIsAtWork = new Promise((resolve) => (isAtWork = resolve));
class Endless extends BaseLlm {
  async *generateContentAsync(request, stream, signal) {
    isAtWork();
    await new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }
}`,
    ),
    unordered: true,
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [['failed RangeError: too far'], ['broken@fan.broken: Mended.', 'slow@fan.slow: Quick now.']],
      stored: [
        'user: go',
        'broken: [error RangeError]',
        'user: again',
        'broken@fan.broken: Mended.',
        'slow@fan.slow: Quick now.',
      ],
    },
  },
  {
    name: 'whole_tree',
    says: 'runs a tree of all kinds of agents (B41, B42, B43)',
    unordered: true,
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        agent('first', [says('1')]),
        new LoopAgent({ name: 'loop', maxIterations: 2, subAgents: [agent('again', [says('2'), says('3')])] }),
        new ParallelAgent({ name: 'fan', subAgents: [agent('left', [says('4')]), agent('right', [says('5')])] }),
        new CustomAgent({
          name: 'code',
          async *run() { yield createEvent({ author: 'code', content: spoken('6') }); },
        }),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['first: 1', 'again: 2', 'again: 3', 'code: 6', 'left@fan.left: 4', 'right@fan.right: 5']],
    },
  },
];
