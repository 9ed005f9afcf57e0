import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const TO_CHILD = [
  'root: transfer_to_agent({"agentName":"child"})',
  'root: transfer_to_agent -> {"result":null} [to child]',
];

/** An agent that hands over as its script says, then answers. */
const HANDOVER = `
const to = (name) => says(calls('transfer_to_agent', { agentName: name }));`;

/** Handing over, and who answers next. */
export const transferCases: readonly ConformanceCase[] = [
  {
    name: 'transfer_to_child',
    says: 'hands over to a child, which answers the next turn too (B4, B37, B49)',
    source: rootAgentFile(
      `agent('root', [to('child')], { subAgents: [agent('child', [says('Mine.'), says('Still mine.')])] })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }, { say: 'and now?' }],
    expect: {
      turns: [[...TO_CHILD, 'child: Mine.'], ['child: Still mine.']],
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
          'model: Mine.',
          'user: and now?',
        ],
      ],
    },
  },
  {
    name: 'transfer_to_parent',
    says: 'hands back to the parent, which goes on in the same turn (B37, B49)',
    source: rootAgentFile(
      `agent('root', [to('child'), says('Back here.'), says('Still here.')], {
        subAgents: [agent('child', [says('Mine.'), to('root')])],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }, { say: 'back' }, { say: 'more' }],
    expect: {
      turns: [
        [...TO_CHILD, 'child: Mine.'],
        [
          'child: transfer_to_agent({"agentName":"root"})',
          'child: transfer_to_agent -> {"result":null} [to root]',
          'root: Back here.',
        ],
        ['root: Still here.'],
      ],
    },
  },
  {
    name: 'transfer_to_peer',
    says: 'hands over from one child to the one beside it (B37, B49)',
    source: rootAgentFile(
      `agent('root', [to('child')], {
        subAgents: [agent('child', [to('other')]), agent('other', [says('The other.'), says('Still the other.')])],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }, { say: 'who?' }],
    expect: {
      turns: [
        [
          ...TO_CHILD,
          'child: transfer_to_agent({"agentName":"other"})',
          'child: transfer_to_agent -> {"result":null} [to other]',
          'other: The other.',
        ],
        ['other: Still the other.'],
      ],
    },
  },
  {
    name: 'transfer_chain',
    says: 'hands over twice in one turn, down to a grandchild (B37)',
    source: rootAgentFile(
      `agent('root', [to('child')], {
        subAgents: [agent('child', [to('grand')], { subAgents: [agent('grand', [says('Down here.')])] })],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          ...TO_CHILD,
          'child: transfer_to_agent({"agentName":"grand"})',
          'child: transfer_to_agent -> {"result":null} [to grand]',
          'grand: Down here.',
        ],
      ],
    },
  },
  {
    name: 'transfer_beside_tool',
    says: 'hands over after the other calls of the turn were answered, in one event (B31, B37)',
    source: rootAgentFile(
      `agent('root', [says(calls('f'), calls('transfer_to_agent', { agentName: 'child' }))], {
        tools: [tool('f', (_args, { state }) => { state.set('f', 1); return 'done'; })],
        subAgents: [agent('child', [says('Mine.')])],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: f({}) + transfer_to_agent({"agentName":"child"})',
          'root: f -> {"result":"done"} + transfer_to_agent -> {"result":null} [state {"f":1}] [to child]',
          'child: Mine.',
        ],
      ],
    },
  },
  {
    name: 'transfer_to_workflow',
    says: 'hands over to a workflow, of which nobody answers the next turn (B37, B41, B49)',
    source: rootAgentFile(
      `agent('root', [to('flow'), says('Root again.')], {
        subAgents: [
          new SequentialAgent({ name: 'flow', subAgents: [agent('one', [says('1')]), agent('two', [says('2')])] }),
        ],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }, { say: 'who?' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"flow"})',
          'root: transfer_to_agent -> {"result":null} [to flow]',
          'one: 1',
          'two: 2',
        ],
        ['root: Root again.'],
      ],
    },
  },
  {
    name: 'unknown_author',
    says: 'passes by an author who is in no tree when it looks for who answers next (B49)',
    source: rootAgentFile(
      `agent('root', [to('narrator'), says('Root again.')], {
        subAgents: [
          new CustomAgent({
            name: 'narrator',
            async *run() { yield createEvent({ author: 'a_voice', content: spoken('Meanwhile.') }); },
          }),
        ],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }, { say: 'who?' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"narrator"})',
          'root: transfer_to_agent -> {"result":null} [to narrator]',
          'a_voice: Meanwhile.',
        ],
        ['root: Root again.'],
      ],
    },
  },
];
