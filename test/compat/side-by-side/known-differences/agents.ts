import { type Difference } from '../differences';
import { type KnownDifference } from '../known-difference';

const choice = (request: number, ...names: readonly string[]): Difference => ({
  at: `asked[${request}].config.tools[0].functionDeclarations[*].parametersJsonSchema.properties.agentName.enum`,
  ours: names,
});

const transferred = {
  tool: 'transfer_to_agent',
  theirs: '{"result":"Transfer queued"}',
  ours: '{"result":null}',
};

const told = (at: string, agent: string, { tool, theirs, ours } = transferred): Difference => ({
  at,
  theirs: `[${agent}] tool \`${tool}\` returned result: ${theirs}`,
  ours: `[${agent}] \`${tool}\` tool returned result: ${ours}`,
});

const brought = { tool: 'escort', theirs: '{"brought":"doctor"}', ours: '{"brought":"doctor"}' };

const anew = (...events: readonly string[]): readonly Difference[] =>
  events.map((at) => ({ at: `${at}.id`, theirs: 'new', ours: 'as before' }));

/** Agents that hand over, agents that stream, and what is kept of their answers. */
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
      'no-transfer-back': [choice(0, 'quiet', 'helper'), choice(2, 'quiet', 'helper')],
      'handing-tool': [choice(0, 'doctor'), choice(1, 'porter')],
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
      'no-transfer-back': [told('asked[1].contents[2].parts[1].text', 'head')],
      'handing-tool': [told('asked[1].contents[2].parts[1].text', 'porter', brought)],
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
      'streaming-thoughts': anew('turns[0].events[1]', 'turns[0].events[2]'),
      streaming: anew('turns[0].events[1]', 'turns[0].events[2]'),
      'streaming-tool': anew('turns[0].events[1]', 'turns[0].events[4]', 'turns[0].events[5]'),
    },
  },
  {
    name: 'thoughts-in-state',
    kind: 'their defect',
    theirs: 'What `outputKey` keeps of an answer has the thoughts in it.',
    ours: 'It has the words that were meant for the user.',
    because: 'B44. Theirs: `maybeSaveOutputToState` in `agents/llm_agent.js` joins every part that has text.',
    cases: {
      'output-key-and-thoughts': ['turns[0].events[0].actions.stateDelta', 'state'].map((place) => ({
        at: `${place}.conclusion`,
        theirs: 'Hm.So be it.',
        ours: 'So be it.',
      })),
    },
  },
  {
    name: 'words-beside-calls',
    kind: 'as adk-python',
    theirs: '`outputKey` keeps the last words of a turn.',
    ours: 'It keeps all of them, those beside calls too.',
    because: 'B44.',
    cases: {
      'output-key-and-calls': ['turns[0].events[2].actions.stateDelta', 'state'].map((place) => ({
        at: `${place}.conclusion`,
        theirs: 'Nothing.',
        ours: 'I look. Nothing.',
      })),
    },
  },
];
