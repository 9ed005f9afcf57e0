import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const TO_CHILD = [
  'root: transfer_to_agent({"agentName":"child"})',
  'root: transfer_to_agent -> {"result":null} [to child]',
];

/** An agent that hands over as its script says, then answers. */
const HANDOVER = `
const to = (name) => says(calls('transfer_to_agent', { agentName: name }));`;

/** Hand-overs that are not allowed, which the model is told. */
export const transferRefusedCases: readonly ConformanceCase[] = [
  {
    name: 'transfer_not_to_parent',
    says: 'refuses to hand over to a parent where that is not allowed, and gives the next turn to the root (B37, B49)',
    source: rootAgentFile(
      `agent('root', [to('child'), says('Root again.')], {
        subAgents: [
          agent('child', [to('root'), says('Then I answer.')], { disallowTransferToParent: true }),
          agent('other', []),
        ],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }, { say: 'and now?' }],
    expect: {
      turns: [
        [
          ...TO_CHILD,
          'child: transfer_to_agent({"agentName":"root"})',
          `child: transfer_to_agent -> {"error":"Agent 'child' may not transfer to its parent."}`,
          'child: Then I answer.',
        ],
        ['root: Root again.'],
      ],
    },
  },
  {
    name: 'transfer_not_to_peer',
    says: 'refuses to hand over to a peer where that is not allowed (B37)',
    source: rootAgentFile(
      `agent('root', [to('child')], {
        subAgents: [
          agent('child', [to('other'), says('Then I answer.')], { disallowTransferToPeers: true }),
          agent('other', []),
        ],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          ...TO_CHILD,
          'child: transfer_to_agent({"agentName":"other"})',
          `child: transfer_to_agent -> {"error":"Agent 'child' may not transfer to its peers."}`,
          'child: Then I answer.',
        ],
      ],
    },
  },
  {
    name: 'transfer_nowhere',
    says: 'does not know the tool for handing over where there is nobody to hand over to (B28, B37)',
    source: rootAgentFile(`agent('root', [to('child'), says('Alone.')])`, HANDOVER),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"child"})',
          `root: transfer_to_agent -> {"error":"Tool 'transfer_to_agent' not found.\\nAvailable tools: "}`,
          'root: Alone.',
        ],
      ],
    },
  },
  {
    name: 'transfer_to_unknown',
    says: 'tells the model that there is no agent of that name (B37)',
    source: rootAgentFile(
      `agent('root', [to('ghost'), to('child')], { subAgents: [agent('child', [says('Here.')])] })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"ghost"})',
          'root: transfer_to_agent -> {"error":"Agent ghost not found in the agent tree."}',
          ...TO_CHILD,
          'child: Here.',
        ],
      ],
    },
  },
  {
    name: 'transfer_to_itself',
    says: 'tells the model that it cannot hand over to itself (B37)',
    source: rootAgentFile(
      `agent('root', [to('root'), says('Then I answer.')], { subAgents: [agent('child', [])] })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"root"})',
          `root: transfer_to_agent -> {"error":"Agent 'root' cannot transfer to itself."}`,
          'root: Then I answer.',
        ],
      ],
    },
  },
  {
    name: 'transfer_to_unrelated',
    says: 'tells the model that it cannot skip a generation (B37)',
    source: rootAgentFile(
      `agent('root', [to('grand'), says('Then I answer.')], {
        subAgents: [agent('child', [], { subAgents: [agent('grand', [])] })],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"grand"})',
          `root: transfer_to_agent -> {"error":"Cannot transfer from 'root' to unrelated agent 'grand'."}`,
          'root: Then I answer.',
        ],
      ],
    },
  },
  {
    name: 'transfer_inside_workflow',
    says: 'offers no way out of a workflow to the agents in it (B37)',
    source: rootAgentFile(
      `new SequentialAgent({
        name: 'flow',
        subAgents: [agent('one', [to('two'), says('1')]), agent('two', [says('2')])],
      })`,
      HANDOVER,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'one: transfer_to_agent({"agentName":"two"})',
          `one: transfer_to_agent -> {"error":"Tool 'transfer_to_agent' not found.\\nAvailable tools: "}`,
          'one: 1',
          'two: 2',
        ],
      ],
    },
  },
];
