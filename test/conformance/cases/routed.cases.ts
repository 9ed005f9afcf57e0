import { appFile, rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const DOWN = `
class Down extends BaseLlm {
  async *generateContentAsync() { throw new RangeError('down'); }
}
const down = new Down({ model: 'down' });
const inOrder = (all, _what, failure) => Object.keys(all).find((key) => !failure?.failedKeys.has(key));`;

/** Agents and models that a function chooses. */
export const routedCases: readonly ConformanceCase[] = [
  {
    name: 'routed_by_state',
    says: 'asks at each message which agent answers it (B49)',
    source: rootAgentFile(`new RoutedAgent({
      name: 'desk',
      agents: { basic: agent('quick', [says('Yes.')]), pro: agent('thorough', [says('Yes, because.')]) },
      router: async (_agents, { session }) => session.state.plan,
    })`),
    state: { plan: 'pro' },
    steps: [{ say: 'Is it so?' }, { patch: { plan: 'basic' } }, { say: 'Is it?' }],
    expect: {
      turns: [['thorough: Yes, because.'], ['quick: Yes.']],
      state: { plan: 'basic' },
    },
  },
  {
    name: 'routed_to_a_spare',
    says: 'goes to the next agent when one fails before it said anything, in a sequence that goes on (B23, B41)',
    source: rootAgentFile(
      `new SequentialAgent({
        name: 'flow',
        subAgents: [
          new RoutedAgent({
            name: 'desk',
            agents: [agent('first', undefined, { model: down }), agent('spare', [says('I do.')])],
            router: inOrder,
          }),
          agent('last', [says('Done.')]),
        ],
      })`,
      DOWN,
    ),
    steps: [{ say: 'Who answers?' }],
    expect: {
      turns: [['spare: I do.', 'last: Done.']],
      stored: ['user: Who answers?', 'spare: I do.', 'last: Done.'],
    },
  },
  {
    name: 'routed_to_nobody',
    says: 'fails a message for which no agent is chosen, and takes the next one (B23)',
    source: rootAgentFile(`new RoutedAgent({
      name: 'desk',
      agents: [agent('only', [says('Here.')])],
      router: (_agents, { userContent }) => userContent.parts[0].text,
    })`),
    steps: [{ say: 'nobody' }, { say: 'only' }],
    expect: {
      turns: [
        ['failed agent.no-route: The router of agent "desk" chose "nobody", which is none of its agents.'],
        ['only: Here.'],
      ],
    },
  },
  {
    name: 'routed_and_waiting',
    says: 'goes on with the agent that waits for an answer, whatever would be chosen now (B54)',
    source: appFile(
      `resumabilityConfig: { isResumable: true }, rootAgent: new RoutedAgent({
        name: 'desk',
        agents: {
          asker: agent('asker', [says(calls('ask')), says('Granted.')], {
            tools: [new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined })],
          }),
          other: agent('other', [says('Never.')]),
        },
        router: (_agents, { session }) =>
          session.events.some(({ author }) => author === 'asker') ? 'other' : 'asker',
      })`,
    ),
    steps: [{ say: 'May I?' }, { answer: { call: 'ask', response: { granted: true } } }],
    expect: {
      turns: [
        ['desk: [stands at {"currentSubAgent":"asker"}]', 'asker: ask({}) [waits]'],
        ['desk: [stands at {"currentSubAgent":"asker"}]', 'asker: Granted.', 'asker: [ends]', 'desk: [ends]'],
      ],
    },
  },
  {
    name: 'routed_model',
    says: 'goes to the next model when one fails before it said anything (B23)',
    source: rootAgentFile(
      `agent('root', undefined, {
        model: new RoutedLlm({ models: { down, spare: script(says(calls('f')), says('Done.')) }, router: inOrder }),
        tools: [tool('f', () => 1)],
      })`,
      DOWN,
    ),
    steps: [{ say: 'go', streaming: true }],
    expect: { turns: [['root: f({})', 'root: f -> {"result":1}', 'root: Done.']] },
  },
];
