import { type Difference } from '../differences';
import { type KnownDifference } from '../known-difference';

const choice = (request: number, ...names: readonly string[]): Difference => ({
  at: `asked[${request}].config.tools[0].functionDeclarations[0].parametersJsonSchema.properties.agentName.enum`,
  ours: names,
});

const told = (at: string, agent: string): Difference => ({
  at,
  theirs: `[${agent}] tool \`transfer_to_agent\` returned result: {"result":"Transfer queued"}`,
  ours: `[${agent}] \`transfer_to_agent\` tool returned result: {"result":null}`,
});

const anew = (...events: readonly string[]): readonly Difference[] =>
  events.map((at) => ({ at: `${at}.id`, theirs: 'new', ours: 'as before' }));

/** Agents that hand over, and agents that stream. */
export const agentDifferences: readonly KnownDifference[] = [
  {
    name: 'names-to-choose-from',
    kind: 'as adk-python',
    theirs: '`transfer_to_agent` takes any name.',
    ours: 'Its declaration lists the names of the agents that can take over.',
    because:
      "adk-python's `TransferToAgentTool` (B37): a model that has a list to choose from makes up no names.",
    cases: {
      transfer: [
        choice(0, 'billing', 'travel'),
        choice(1, 'desk', 'travel'),
        choice(2, 'desk', 'travel'),
        choice(3, 'desk', 'travel'),
        choice(4, 'billing', 'travel'),
      ],
      instructions: [choice(0, 'second'), choice(1, 'first')],
    },
  },
  {
    name: 'foreign-response',
    kind: 'as adk-python',
    theirs: 'What the tool of another agent gave is told as ``tool `x` returned result``.',
    ours: 'It is told as `` `x` tool returned result``.',
    because: "adk-python's words (B4).",
    cases: {
      transfer: [
        told('asked[1].contents[2].parts[1].text', 'desk'),
        told('asked[2].contents[2].parts[1].text', 'desk'),
        told('asked[3].contents[2].parts[1].text', 'desk'),
        told('asked[4].contents[8].parts[1].text', 'billing'),
      ],
      instructions: [told('asked[1].contents[2].parts[1].text', 'first')],
    },
  },
  {
    name: 'ids-of-pieces',
    kind: 'their defect',
    theirs: 'Each piece of a streamed answer, and the whole of it, is an event with an id of its own.',
    ours: 'They have one id.',
    because:
      'B17: a client knows by the id which pieces the whole answer replaces. Theirs: `runOneStepAsync` in ' +
      '`agents/llm_agent.js` draws an id for every event.',
    cases: {
      streaming: anew('turns[0].events[1]', 'turns[0].events[2]'),
      'streaming-tool': anew('turns[0].events[1]', 'turns[0].events[4]', 'turns[0].events[5]'),
    },
  },
];
