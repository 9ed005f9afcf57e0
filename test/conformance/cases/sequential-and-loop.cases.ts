import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** A custom agent that says one thing and escalates, and may say more after it. */
const STOPPER = `
const stopper = (...after) => new CustomAgent({
  name: 'stopper',
  async *run() {
    yield createEvent({ author: 'stopper', content: spoken('Stop.'), actions: { escalate: true } });
    for (const text of after) yield createEvent({ author: 'stopper', content: spoken(text) });
  },
});`;

/** Agents one after the other, and again and again. */
export const sequentialAndLoopCases: readonly ConformanceCase[] = [
  {
    name: 'sequence',
    says: 'runs agents in order, each seeing what those before it said (B4, B41)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [agent('one', [says('1'), says('1b')]), agent('two', [says('2'), says('2b')])],
    })`),
    steps: [{ say: 'go' }, { say: 'again' }],
    expect: {
      turns: [
        ['one: 1', 'two: 2'],
        ['one: 1b', 'two: 2b'],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'user: For context: + [one] said: 1'],
        ['user: go', 'model: 1', 'user: For context: + [two] said: 2', 'user: again'],
        [
          'user: go',
          'user: For context: + [one] said: 1',
          'model: 2',
          'user: again',
          'user: For context: + [one] said: 1b',
        ],
      ],
    },
  },
  {
    name: 'sequence_escalates',
    says: 'does not end a sequence because an agent escalates (B41)',
    source: rootAgentFile(
      `new SequentialAgent({ name: 'flow', subAgents: [stopper(), agent('two', [says('2')])] })`,
      STOPPER,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['stopper: Stop. [escalates]', 'two: 2']] },
  },
  {
    name: 'sequence_of_keys',
    says: 'hands the answer of one agent to the next through state (B44, B59)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        agent('writer', [says('A poem.')], { outputKey: 'draft' }),
        agent('critic', [says('Fine.')], { instruction: 'Judge this: {draft}', outputKey: 'judgement' }),
      ],
    })`),
    steps: [{ say: 'write' }],
    expect: {
      turns: [['writer: A poem. [state {"draft":"A poem."}]', 'critic: Fine. [state {"judgement":"Fine."}]']],
      state: { draft: 'A poem.', judgement: 'Fine.' },
      instructions: [
        'You are an agent. Your internal name is "writer".',
        'Judge this: A poem.\n\nYou are an agent. Your internal name is "critic".',
      ],
    },
  },
  {
    name: 'sequence_with_error',
    says: 'goes on with the next agent after one whose model refused (B23, B41)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [agent('one', [{ errorCode: 'SAFETY', errorMessage: 'No.' }]), agent('two', [says('2')])],
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['one: [error SAFETY]', 'two: 2']] },
  },
  {
    name: 'sequence_child_skipped',
    says: 'goes on with the next agent after a callback answered in the place of one (B40)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        agent('one', [says('never')], {
          beforeAgentCallback: () => spoken('Skipped.'),
          afterAgentCallback: () => spoken('never'),
        }),
        agent('two', [says('2')]),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['one: Skipped.', 'two: 2']] },
  },
  {
    name: 'sequence_itself_skipped',
    says: 'runs none of a sequence when a callback answers in its place (B40)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [agent('one', [says('never')])],
      beforeAgentCallback: ({ state }) => { state.set('closed', true); return spoken('We are closed.'); },
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['flow: We are closed. [state {"closed":true}]']], asked: [] },
  },
  {
    name: 'sequence_of_nobody',
    says: 'says nothing when there is nobody in a sequence (B41)',
    source: rootAgentFile(`new SequentialAgent({ name: 'flow', subAgents: [] })`),
    steps: [{ say: 'go' }],
    expect: { turns: [[]] },
  },
  {
    name: 'loop_twice',
    says: 'runs the agents of a loop as often as it is told to (B42)',
    source: rootAgentFile(`new LoopAgent({
      name: 'loop', maxIterations: 2,
      subAgents: [agent('one', [says('1'), says('1b')]), agent('two', [says('2'), says('2b')])],
    })`),
    steps: [{ say: 'go' }],
    expect: { turns: [['one: 1', 'two: 2', 'one: 1b', 'two: 2b']] },
  },
  {
    name: 'loop_exit',
    says: 'ends a loop when a model calls exit_loop, without another word of it (B39, B42)',
    source: rootAgentFile(`new LoopAgent({
      name: 'loop',
      subAgents: [
        agent('worker', [says('More.'), says(calls('exit_loop')), says('never')], { tools: [EXIT_LOOP] }),
        agent('helper', [says('Helped.'), says('never')]),
      ],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'worker: More.',
          'helper: Helped.',
          'worker: exit_loop({})',
          'worker: exit_loop -> {"result":null} [escalates] [as it is]',
        ],
      ],
    },
  },
  {
    name: 'loop_drains',
    says: 'lets an agent that escalates say the rest, and runs none after it (B42)',
    source: rootAgentFile(
      `new LoopAgent({ name: 'loop', subAgents: [stopper('One more thing.'), agent('two', [says('never')])] })`,
      STOPPER,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['stopper: Stop. [escalates]', 'stopper: One more thing.']] },
  },
  {
    name: 'loop_in_loop',
    says: 'ends the loops around a loop too when it is ended (B42)',
    source: rootAgentFile(
      `new LoopAgent({
        name: 'outer',
        subAgents: [
          new LoopAgent({ name: 'inner', subAgents: [agent('one', [says('1')]), stopper()] }),
          agent('never', [says('never')]),
        ],
      })`,
      STOPPER,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['one: 1', 'stopper: Stop. [escalates]']] },
  },
  {
    name: 'loop_until',
    says: 'loops without a limit until state is what an agent waits for (B42)',
    source: rootAgentFile(
      `new LoopAgent({ name: 'loop', maxIterations: 0, subAgents: [counter] })`,
      `
const counter = new CustomAgent({
  name: 'counter',
  async *run({ session }) {
    const count = (session.state.count ?? 0) + 1;
    yield createEvent({ author: 'counter', actions: { stateDelta: { count }, ...(count === 3 ? { escalate: true } : {}) } });
  },
});`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'counter: [state {"count":1}]',
          'counter: [state {"count":2}]',
          'counter: [state {"count":3}] [escalates]',
        ],
      ],
      state: { count: 3 },
    },
  },
  {
    name: 'loop_in_sequence',
    says: 'goes on behind a loop that was ended from within (B41, B42)',
    source: rootAgentFile(
      `new SequentialAgent({
        name: 'flow',
        subAgents: [new LoopAgent({ name: 'loop', subAgents: [stopper()] }), agent('last', [says('Done.')])],
      })`,
      STOPPER,
    ),
    steps: [{ say: 'go' }],
    expect: { turns: [['stopper: Stop. [escalates]', 'last: Done.']] },
  },
];
